"""`dovetail opt`: run passes over a file of LLVM IR."""

import sys
from collections.abc import Sequence

from dovetail.cli.arguments import Parser, help_rows
from dovetail.cli.jobs import print_plan
from dovetail.driver import PassRequest, run_passes
from dovetail.files import write_atomically
from dovetail.ir import Module
from dovetail.passes import PASSES, parse_pipeline


def run(args: Sequence[str]) -> int:
    """See `dovetail opt --help`."""
    options = _parser().parse_args(args)
    parse_pipeline(options.passes)  # report errors in it before reading a large file
    request = PassRequest(options.input, options.passes, options.facts)
    if options.dry_run:
        print_plan(request)
        return 0
    _write(run_passes(request), options.output)
    return 0


def _parser() -> Parser:
    rows = help_rows(((name, entry.help) for name, entry in PASSES.items()), 19)
    parser = Parser(
        "opt",
        "Run passes over LLVM IR, text or bitcode.\n\n"
        f"passes:\n{rows}\n\n"
        "example:\n  dovetail opt -p kernel-entries,optimize{level=1} in.ll -o out.ll",
    )
    parser.add_argument("input", help="the IR file; - for standard input")
    parser.add_argument(
        "-p", "--passes", required=True, metavar="NAME,...", help="the pass pipeline"
    )
    parser.add_argument(
        "-o",
        "--output",
        default="-",
        metavar="FILE",
        help="the output file: text, or bitcode if FILE ends in .bc (default: -, as text)",
    )
    parser.add_argument(
        "-###", dest="dry_run", action="store_true", help="print the steps without running them"
    )
    parser.add_argument(
        "--facts",
        metavar="FILE",
        help="the facts that the front-end recorded about the source (properties, uses, kernels),"
        " as JSON",
    )
    return parser


def _write(module: Module, output: str) -> None:
    if output == "-":
        sys.stdout.write(module.to_text())
    elif output.endswith(".bc"):
        write_atomically(output, module.to_bitcode())
    else:
        write_atomically(output, module.to_text().encode())

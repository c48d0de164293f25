"""`dovetail opt`: run passes over a file of LLVM IR."""

import sys
from collections.abc import Sequence

from dovetail.cli.arguments import Parser
from dovetail.cli.jobs import print_plan
from dovetail.driver import PassRequest, run_passes
from dovetail.files import write_atomically
from dovetail.ir import Module
from dovetail.passes import PASSES, parse_pipeline


def run(words: Sequence[str]) -> int:
    """See `dovetail opt --help`."""
    options = _parser().parse_args(words)
    parse_pipeline(options.passes)  # a mistake in it should not wait for a large file
    request = PassRequest(options.input, options.passes, options.facts)
    if options.dry_run:
        print_plan(request)
        return 0
    _write(run_passes(request), options.output)
    return 0


def _parser() -> Parser:
    rows = "\n".join(f"  {name:<16} {entry.help}" for name, entry in PASSES.items())
    parser = Parser(
        "opt",
        "Run passes over LLVM IR, as text or bitcode.\n\n"
        f"passes:\n{rows}\n\n"
        "example:\n  dovetail opt -p kernel-entries,optimize{level=1} in.ll -o out.ll",
    )
    parser.add_argument("input", help="the IR; - for standard input")
    parser.add_argument("-p", "--passes", required=True, metavar="NAME,...", help="what to run")
    parser.add_argument(
        "-o",
        "--output",
        default="-",
        metavar="FILE",
        help="text, or bitcode if FILE ends in .bc (default: text on standard output)",
    )
    parser.add_argument(
        "-###", dest="dry_run", action="store_true", help="print what would be done, and do nothing"
    )
    parser.add_argument("--facts", metavar="FILE", help="the front-end's facts about the module")
    return parser


def _write(module: Module, output: str) -> None:
    if output == "-":
        sys.stdout.write(module.to_text())
    elif output.endswith(".bc"):
        write_atomically(output, module.to_bitcode())
    else:
        write_atomically(output, module.to_text().encode())

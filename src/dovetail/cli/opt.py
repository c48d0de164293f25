"""`dovetail opt`: run passes over a file of LLVM IR."""

import sys
from collections.abc import Sequence

from dovetail.cli.arguments import Parser
from dovetail.facts import Facts, parse_facts
from dovetail.files import read_bytes, write_atomically
from dovetail.ir import Module, parse_untrusted
from dovetail.passes import PASSES, PassContext, parse_pipeline, run_pipeline


def run(words: Sequence[str]) -> int:
    """See `dovetail opt --help`."""
    options = _parser().parse_args(words)
    passes = parse_pipeline(options.passes)
    data = sys.stdin.buffer.read() if options.input == "-" else read_bytes(options.input)
    facts = parse_facts(read_bytes(options.facts)) if options.facts else Facts()
    module = parse_untrusted(data, options.input)
    run_pipeline(passes, PassContext(facts), module)
    _write(module, options.output)
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
    parser.add_argument("--facts", metavar="FILE", help="the front-end's facts about the module")
    return parser


def _write(module: Module, output: str) -> None:
    if output == "-":
        sys.stdout.write(module.to_text())
    elif output.endswith(".bc"):
        write_atomically(output, module.to_bitcode())
    else:
        write_atomically(output, module.to_text().encode())

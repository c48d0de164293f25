"""`dovetail c++`: build a program from C++ sources."""

import sys
from collections.abc import Sequence

from dovetail.cli.command_line import CommandLine
from dovetail.cli.jobs import print_job, print_plan
from dovetail.cli.progress import Progress
from dovetail.driver import BuildRequest, build_program
from dovetail.driver import options as o
from dovetail.errors import UsageError
from dovetail.version import __version__


def run(words: Sequence[str]) -> int:
    """See `dovetail c++ --help`."""
    line = CommandLine.read(words)
    if line.has(o.HELP):
        print(help_text())
        return 0
    if line.has(o.VERSION):
        print(f"dovetail {__version__}")
        return 0
    request = _request(line)
    if line.has(o.DRY_RUN):
        print_plan(request)
        return 0
    with Progress() as progress:
        built = build_program(request, print_job if line.has(o.VERBOSE) else progress.show_job)
    if built.warnings:
        print(built.warnings, file=sys.stderr)
    return 0


def help_text() -> str:
    """What `dovetail c++ --help` prints."""
    return f"""\
usage: dovetail c++ -fsycl -fsyclbin [OPTION]... SOURCE... -o FILE

Compile SYCL sources and write their kernels as one program file, which
'dovetail inspect' shows and dovetail.load() runs.

options:
{o.help_rows(o.OPTIONS)}"""


def _request(line: CommandLine) -> BuildRequest:
    if not (line.has(o.FSYCL) and line.has(o.FSYCLBIN)):
        raise UsageError(
            "only device programs can be built today",
            hint="dovetail c++ -fsycl -fsyclbin SOURCE... -o FILE",
        )
    if line.inputs and not line.has(o.OUTPUT):
        raise UsageError("no output was named", hint="add -o FILE")
    sources = line.sources()
    output = line.output(o.OUTPUT, sources)
    return BuildRequest(sources, line.flags(), output, line.split())

"""`dovetail c++`: build a program from C++ sources."""

import sys
from collections.abc import Callable, Sequence

from dovetail.cli.command_line import CommandLine
from dovetail.cli.jobs import print_job, print_plan
from dovetail.cli.progress import Progress
from dovetail.driver import BuildRequest, Built, Job, RunRequest, build_executable, build_program
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
        built = _build(request, print_job if line.has(o.VERBOSE) else progress.show_job)
    if built.warnings:
        print(built.warnings, file=sys.stderr)
    return 0


def help_text() -> str:
    """What `dovetail c++ --help` prints."""
    return f"""\
usage: dovetail c++ -fsycl [-fsyclbin|-shared] [OPTION]... SOURCE... -o FILE

Compile SYCL sources, host and device side, into one file that starts the
program: ./FILE, or 'dovetail run FILE'. It needs Dovetail's runtime where it is
started, and no compiler. Objects cannot be made, nor objects or libraries linked.

With -shared, make a library instead, which programs load with dlopen(): then
its kernels can be started, and kernels of programs and libraries can call each
other's SYCL_EXTERNAL functions.

With -fsyclbin, write the kernels alone, as a program that 'dovetail inspect'
shows and dovetail.load() runs.

examples:
  dovetail c++ -fsycl -O3 main.cpp kernels.cpp -o app
  dovetail c++ -fsycl -shared plugin.cpp -o libplugin.so
  dovetail c++ -fsycl -fsyclbin k.cpp -o k.syclbin

options:
{o.help_rows(o.OPTIONS)}"""


def _request(line: CommandLine) -> BuildRequest | RunRequest:
    if not line.has(o.FSYCL):
        raise UsageError(
            "only SYCL programs can be built", hint="dovetail c++ -fsycl SOURCE... -o FILE"
        )
    if line.inputs and not line.has(o.OUTPUT):
        raise UsageError("no output was named", hint="add -o FILE")
    if line.has(o.FSYCLBIN) and line.has(o.SHARED):
        raise UsageError(
            "-fsyclbin and -shared cannot both be written",
            hint="a shared library has its device code in it",
        )
    sources = line.sources()
    output = line.output(o.OUTPUT, sources)
    if line.has(o.FSYCLBIN):
        return BuildRequest(sources, line.flags(), output, line.split())
    return RunRequest(
        sources, line.flags(), split=line.split(), output=output, shared=line.has(o.SHARED)
    )


def _build(request: BuildRequest | RunRequest, listener: Callable[[Job], None]) -> Built:
    if isinstance(request, BuildRequest):
        return build_program(request, listener)
    return build_executable(request, listener)

"""The part of `dovetail run` that needs a compiler: build a program, then run it."""

import sys
from collections.abc import Sequence

from dovetail.cli.command_line import CommandLine
from dovetail.cli.execution_options import execution_options
from dovetail.cli.jobs import is_only_shown
from dovetail.cli.remarks import remarks
from dovetail.driver import RunRequest, build_to_run
from dovetail.driver import options as o
from dovetail.errors import UsageError
from dovetail.runtime import Program, host
from dovetail.runtime.host.executable import library_in_memory

AS = o.Option(
    "--as",
    o.Form.LONG,
    "let devices stand for a target: they report its aspects and sub-group sizes, and refuse"
    " kernels that it could not run",
    "TARGET",
)

_ELSEWHERE = (o.FSYCLBIN, o.SHARED, o.OUTPUT, o.KEEP_GOING)
_OPTIONS = (
    AS,
    o.LONG_DEVICE_CONFIG_FILE,
    *(option for option in o.OPTIONS if option not in (*_ELSEWHERE, o.VERSION)),
)


def run_sources(words: Sequence[str], arguments: tuple[str, ...]) -> int:
    """Build the sources that the words name and call `main` with the arguments."""
    line = CommandLine.read(words, (*_OPTIONS, *_ELSEWHERE))
    if line.has(o.HELP):
        print(help_text())
        return 0
    for option in _ELSEWHERE:
        if line.has(option):
            raise UsageError(f"'{option.spelling}' is for 'dovetail c++'; 'run' keeps no output")
    for remark in remarks(line):
        print(remark, file=sys.stderr)
    request = RunRequest(
        line.sources(),
        line.flags(),
        arguments,
        line.split(),
        line.features(),
        rdc=line.rdc,
        target_options=line.choice.options,
    )
    target = line.target(AS)
    if is_only_shown(line, request):
        return 0
    with execution_options(line, request) as options:
        built = build_to_run(request, options)
        if built.warnings:
            print(built.warnings, file=sys.stderr)
    library = library_in_memory(built.host_library)
    name = line.inputs[0]
    return host.run(Program.from_bytes(built.program, name), library, [name, *arguments], target)


def help_text() -> str:
    """What `dovetail run --help` prints."""
    return f"""\
usage: dovetail run [OPTION]... SOURCE... [-- ARGUMENT...]
       dovetail run [OPTION]... PROGRAM [-- ARGUMENT...]

Run a SYCL program on the default device: one that 'dovetail c++ -fsycl' built,
or sources, which are compiled first, host and device side. What follows '--' is
the program's own command line. The exit status is what main returns, once main
has started.

examples:
  dovetail run prog.cpp
  dovetail run -O3 -DN=1024 main.cpp kernels.cpp -- --size 7
  dovetail run prog.cpp --as intel_gpu_acm_g10
  dovetail run ./app

options, of which a program that is built takes the first two:
{o.help_rows(_OPTIONS)}"""

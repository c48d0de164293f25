"""`dovetail run`: build a SYCL program and run it in this process."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from dovetail.cli.command_line import CommandLine
from dovetail.cli.jobs import print_job, print_plan
from dovetail.cli.progress import Progress
from dovetail.driver import RunRequest, build_to_run
from dovetail.driver import options as o
from dovetail.errors import UsageError
from dovetail.runtime import Program, host

_OPTIONS = tuple(option for option in o.OPTIONS if option not in (o.FSYCLBIN, o.OUTPUT, o.VERSION))


def run(words: Sequence[str]) -> int:
    """See `dovetail run --help`."""
    ours, arguments = _split(words)
    line = CommandLine.read(ours)
    if line.has(o.HELP):
        print(help_text())
        return 0
    for option in (o.FSYCLBIN, o.OUTPUT):
        if line.has(option):
            raise UsageError(f"'{option.spelling}' is for 'dovetail c++'; 'run' keeps no output")
    request = RunRequest(line.sources(), line.flags(), arguments, line.split())
    if line.has(o.DRY_RUN):
        print_plan(request)
        return 0
    with Progress() as progress:
        built = build_to_run(request, print_job if line.has(o.VERBOSE) else progress.show_job)
    if built.warnings:
        print(built.warnings, file=sys.stderr)
    library = _in_memory(built.host_library)
    return host.run(Program.from_bytes(built.program), library, [line.inputs[0], *arguments])


def help_text() -> str:
    """What `dovetail run --help` prints."""
    return f"""\
usage: dovetail run [OPTION]... SOURCE... [-- ARGUMENT...]

Compile a SYCL program, host and device side, and run it on the default device.
What follows '--' is the program's own command line. The exit status is what
main returns, once main has started.

examples:
  dovetail run prog.cpp
  dovetail run -O3 -DN=1024 main.cpp kernels.cpp -- --size 7

options:
{o.help_rows(_OPTIONS)}"""


def _split(words: Sequence[str]) -> tuple[list[str], tuple[str, ...]]:
    """Our words, and the program's behind the first `--`."""
    if "--" not in words:
        return list(words), ()
    at = list(words).index("--")
    return list(words[:at]), tuple(words[at + 1 :])


def _in_memory(library: bytes) -> Path:
    """A path to load the library from that leaves no file behind, however the process ends."""
    descriptor = os.memfd_create("host-code", os.MFD_CLOEXEC)
    with os.fdopen(os.dup(descriptor), "wb") as file:
        file.write(library)
    return Path(f"/proc/self/fd/{descriptor}")

"""`dovetail run` for sources: build a program, then run it."""

import os
import sys
from collections.abc import Sequence

from dovetail.cli.command_line import CommandLine
from dovetail.cli.command_line_warnings import command_line_warnings
from dovetail.cli.execution_options import execution_options
from dovetail.driver import RunRequest, build_to_run, options as o
from dovetail.driver.target_choice import TargetChoice, choose_targets
from dovetail.errors import UsageError
from dovetail.runtime import Program, cuda, host
from dovetail.runtime.host.executable import library_in_memory

AS = o.Option(
    "--as",
    o.Form.LONG,
    "emulate a target: devices report its aspects and sub-group sizes, and reject kernels that it"
    " cannot run",
    "TARGET",
)

_OUTPUT_OPTIONS = (o.FSYCLBIN, o.SHARED, o.OUTPUT, o.KEEP_GOING)
_OPTIONS = (
    AS,
    o.LONG_DEVICE_CONFIG_FILE,
    *(option for option in o.OPTIONS if option not in (*_OUTPUT_OPTIONS, o.VERSION)),
)


def run_sources(args: Sequence[str], arguments: tuple[str, ...]) -> int:
    """Build the sources in `args` and call `main` with the arguments."""
    line = _read(args)
    if line.has(o.HELP):
        print(help_text())
        return 0
    for option in _OUTPUT_OPTIONS:
        if line.has(option):
            raise UsageError(
                f"'{option.spelling}' is not supported by 'dovetail run', which writes no files",
                hint="use 'dovetail c++ -fsycl'",
            )
    for warning in command_line_warnings(line):
        print(warning, file=sys.stderr)
    here = ()
    if line.choice == TargetChoice() and cuda.may_have_device():
        # Imported late: most machines have no such GPU.
        from dovetail.driver.installed_gpus import targets_to_run_here

        here = choose_targets(targets_to_run_here()).targets
    request = RunRequest(
        line.sources(),
        line.flags(here or None),
        arguments,
        line.split(),
        line.features(),
        rdc=line.rdc,
        target_options=line.choice.options,
    )
    target = line.target(AS)
    if line.is_dry_run:
        # Imported late: most programs are run.
        from dovetail.cli.jobs import print_dry_run

        print_dry_run(line, request)
        return 0
    with execution_options(line, request) as options:
        built = build_to_run(request, options)
        if built.warnings:
            # Imported late: most programs compile without warnings.
            from dovetail.cli.diagnostics import print_diagnostics

            print_diagnostics(built.warnings)
    library = library_in_memory(built.host_library)
    name = line.inputs[0]
    return host.run(Program.from_bytes(built.program, name), library, [name, *arguments], target)


def _read(args: Sequence[str]) -> CommandLine:
    """Parse the command line; errors tell how to pass arguments to the program."""
    try:
        line = CommandLine.read(args, (*_OPTIONS, *_OUTPUT_OPTIONS))
    except o.UnknownOption as error:
        hint = f"{error.hint} (the program's own arguments follow '--')"
        raise UsageError(error.message, hint=hint) from None
    for name in line.inputs[1:]:
        if not os.path.lexists(name):
            raise UsageError(
                f"there is no source '{name}'",
                hint=f"to pass it to the program: dovetail run {line.inputs[0]} -- {name}",
            )
    return line


def help_text() -> str:
    """Return the output of `dovetail run --help`."""
    from dovetail.cli.arguments import EXIT_STATUS, help_rows

    return f"""\
usage: dovetail run [OPTION]... SOURCE... [-- ARGUMENT...]
       dovetail run [OPTION]... PROGRAM [-- ARGUMENT...]

Run a SYCL program on the default device: sources, which are built first, or a
program built by 'dovetail c++ -fsycl'. Arguments after '--' are passed to the
program.

examples:
  dovetail run prog.cpp
  dovetail run -O3 -DN=1024 main.cpp kernels.cpp -- --size 7
  dovetail run prog.cpp --as intel_gpu_acm_g10
  dovetail run ./app

options (for a built program, only the first two):
{help_rows((option.usage(), option.help) for option in _OPTIONS)}

{EXIT_STATUS}
  Once main has started, the exit status is that of the program."""

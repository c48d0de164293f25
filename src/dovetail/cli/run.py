"""`dovetail run`: run a SYCL program: sources, or one already built."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

from dovetail.errors import UsageError
from dovetail.runtime.host.executable import (
    is_elf_program,
    is_executable,
    replace_by_program,
    run_executable,
)
from dovetail.settings import DEVICE_CONFIG_FILES, EMULATED_TARGET

_CONFIGURATION = ("--device-config-file", "-fsycl-device-config-file")


def run(args: Sequence[str]) -> int:
    """See `dovetail run --help`."""
    own_args, program_args = _split(args)
    built = [arg for arg in own_args if not arg.startswith("-") and is_executable(arg)]
    if built and "--help" not in own_args:
        _run_built(built[0], _BuiltCommandLine.read(own_args, built[0]), program_args)
    # Imported late: built programs do not need a compiler.
    from dovetail.cli.run_sources import run_sources

    return run_sources(own_args, program_args)


def _split(args: Sequence[str]) -> tuple[list[str], tuple[str, ...]]:
    """Split at the first `--`, into arguments of this command and of the program."""
    if "--" not in args:
        return list(args), ()
    separator = list(args).index("--")
    return list(args[:separator]), tuple(args[separator + 1 :])


@dataclass
class _BuiltCommandLine:
    """The command line for a built program."""

    inputs: list[str] = field(default_factory=list[str])
    emulated_target: str = ""
    configuration: list[Path] = field(default_factory=list[Path])

    @classmethod
    def read(cls, args: Sequence[str], program: str) -> "_BuiltCommandLine":
        line = cls()
        rest = iter(args)
        for arg in rest:
            option, _, value = arg.partition("=")
            if not arg.startswith("-"):
                line.inputs.append(arg)
                continue
            if option != "--as" and option not in _CONFIGURATION:
                raise UsageError(
                    f"'{arg}' applies to sources, but '{program}' is a built program",
                    hint="remove the option; the program's own arguments follow '--'",
                )
            value = value or next(rest, "")
            if not value:
                metavar = "TARGET" if option == "--as" else "FILE"
                raise UsageError(f"'{option}' needs a value", hint=f"usage: {option} {metavar}")
            if option == "--as":
                line.emulated_target = value
            else:
                line.configuration.append(Path(value))
        return line


def _run_built(program: str, line: _BuiltCommandLine, arguments: Sequence[str]) -> NoReturn:
    """Run a built program in this process, which ends with it."""
    others = list(line.inputs)
    others.remove(program)
    if others:
        raise UsageError(
            f"'{program}' is a built program and cannot be combined with '{others[0]}'",
            hint=f"to pass it to the program: dovetail run {program} -- {others[0]}",
        )
    target = None
    if line.emulated_target or line.configuration:
        # Imported late: most programs run without these options.
        from dovetail.cli.arguments import read_configuration

        table = read_configuration(line.configuration)
        target = table[line.emulated_target] if line.emulated_target else None
    if is_elf_program(program):
        replace_by_program(program, arguments, _settings(line))
    run_executable(program, arguments, target)


def _settings(line: _BuiltCommandLine) -> dict[str, str]:
    """Return the options as settings of the program, which is a process of its own."""
    files = os.pathsep.join(str(file.absolute()) for file in line.configuration)
    settings = {EMULATED_TARGET.variable: line.emulated_target, DEVICE_CONFIG_FILES.variable: files}
    return {variable: value for variable, value in settings.items() if value}

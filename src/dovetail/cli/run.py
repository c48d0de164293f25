"""`dovetail run`: run a SYCL program in this process, built already or from its sources."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

from dovetail.errors import UsageError
from dovetail.runtime.host.executable import is_executable, run_executable

_CONFIGURATION = ("--device-config-file", "-fsycl-device-config-file")


def run(words: Sequence[str]) -> int:
    """See `dovetail run --help`."""
    ours, arguments = _split(words)
    built = [word for word in ours if not word.startswith("-") and is_executable(word)]
    if built and "--help" not in ours:
        _run_built(built[0], _Line.read(ours, built[0]), arguments)
    # A program that is built already needs neither a compiler nor the time that its import takes.
    from dovetail.cli.run_sources import run_sources

    return run_sources(ours, arguments)


def _split(words: Sequence[str]) -> tuple[list[str], tuple[str, ...]]:
    """Our words, and the program's behind the first `--`."""
    if "--" not in words:
        return list(words), ()
    at = list(words).index("--")
    return list(words[:at]), tuple(words[at + 1 :])


@dataclass
class _Line:
    """What can be said of a program that is built already."""

    inputs: list[str] = field(default_factory=list[str])
    stands_for: str = ""
    configuration: list[Path] = field(default_factory=list[Path])

    @classmethod
    def read(cls, words: Sequence[str], program: str) -> "_Line":
        line = cls()
        rest = iter(words)
        for word in rest:
            option, _, value = word.partition("=")
            if not word.startswith("-"):
                line.inputs.append(word)
                continue
            if option != "--as" and option not in _CONFIGURATION:
                raise UsageError(f"'{word}' is for sources; '{program}' is built already")
            value = value or next(rest, "")
            if not value:
                raise UsageError(f"'{option}' needs a value", hint=f"as in {option} NAME")
            if option == "--as":
                line.stands_for = value
            else:
                line.configuration.append(Path(value))
        return line


def _run_built(program: str, line: _Line, arguments: Sequence[str]) -> NoReturn:
    others = list(line.inputs)
    others.remove(program)
    if others:
        raise UsageError(
            f"'{program}' is a whole program, built already; '{others[0]}' cannot be added to it",
            hint="run one program, or build all of its sources together",
        )
    target = None
    if line.stands_for or line.configuration:
        # Most programs run on devices as they are, and need not pay for what reads files.
        from dovetail.cli.arguments import read_configuration

        table = read_configuration(line.configuration)
        target = table[line.stands_for] if line.stands_for else None
    run_executable(program, arguments, target)

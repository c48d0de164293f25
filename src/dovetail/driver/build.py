"""Building a program from Python: `dovetail.build`."""

import os
import re
import warnings
from collections.abc import Mapping, Sequence

from dovetail.driver.actions import BuildRequest
from dovetail.driver.run import build_program
from dovetail.errors import UsageError
from dovetail.frontend import DeviceFlags, Source
from dovetail.passes import OPTIMIZATION_LEVELS
from dovetail.runtime import Program


class CompileWarning(UserWarning):
    """Clang's warnings about a source."""


def build(
    *sources: str | os.PathLike[str],
    standard: str = "c++17",
    optimization: int | str = 2,
    debug: bool = False,
    macros: Mapping[str, str | int | None] | None = None,
    include_directories: Sequence[str | os.PathLike[str]] = (),
) -> Program:
    """Build a program from C++ sources.

    Each source is a file's path or, if it is a string with a line break or a brace in it, the C++
    text itself. `macros` maps names to values, or to None for a plain definition.
    """
    if str(optimization) not in OPTIMIZATION_LEVELS:
        known = ", ".join(OPTIMIZATION_LEVELS)
        raise UsageError(
            f"there is no optimisation level '{optimization}'", hint=f"levels: {known}"
        )
    flags = DeviceFlags(
        standard=standard,
        optimization=str(optimization),
        debug=debug,
        macros=tuple(_definition(name, value) for name, value in (macros or {}).items()),
        include_directories=tuple(f"-I{os.fspath(folder)}" for folder in include_directories),
    )
    results = build_program(BuildRequest(tuple(map(_source, sources)), flags))
    for message in results.warnings:
        warnings.warn(message, CompileWarning, stacklevel=2)
    return Program.from_bytes(results.program)


def _source(given: str | os.PathLike[str]) -> Source:
    if isinstance(given, str) and re.search(r"[\n{]", given):
        return Source.from_text(given)
    return Source.from_file(given)


def _definition(name: str, value: str | int | None) -> str:
    return f"-D{name}" if value is None else f"-D{name}={value}"

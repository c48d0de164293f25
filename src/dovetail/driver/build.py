"""Building a program from Python: `dovetail.build`."""

import os
import re
import tempfile
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path

from dovetail.driver.actions import BuildRequest, plan
from dovetail.driver.bind import Job, bind
from dovetail.driver.execute import BuildResult, Listener, execute
from dovetail.errors import UsageError
from dovetail.files import write_atomically
from dovetail.frontend import DeviceFlags, Source, precompiled_header
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
    result = build_program(BuildRequest(tuple(map(_source, sources)), flags))
    for message in result.warnings:
        warnings.warn(message, CompileWarning, stacklevel=2)
    return Program.from_bytes(result.program)


def build_program(request: BuildRequest, listener: Listener = lambda job: None) -> BuildResult:
    """Plan, bind and execute a request; the program is also written where the request says."""
    if not request.sources:
        raise UsageError("no source was given", hint="name at least one C++ file")
    header = precompiled_header(request.flags)
    with tempfile.TemporaryDirectory(prefix="dovetail-") as folder:
        jobs = bind(plan(request, header), request, Path(folder))
        result = execute(jobs, header, listener)
    if request.output:
        write_atomically(request.output, result.program)
    return result


def dry_run(request: BuildRequest) -> tuple[Job, ...]:
    """The jobs that `build_program` would do now."""
    folder = Path(tempfile.gettempdir()) / "dovetail"
    return bind(plan(request, precompiled_header(request.flags)), request, folder)


def _source(given: str | os.PathLike[str]) -> Source:
    if isinstance(given, str) and re.search(r"[\n{]", given):
        return Source.from_text(given)
    return Source.from_file(given)


def _definition(name: str, value: str | int | None) -> str:
    return f"-D{name}" if value is None else f"-D{name}={value}"

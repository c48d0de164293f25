"""Advice for a command line that compiles a SYCL source without `-fsycl`."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

_SOURCES = (".C", ".c++", ".cc", ".cp", ".cpp", ".cxx")
_INCLUDE = re.compile(
    rb"^[ \t]*#[ \t]*include[ \t]*[<\"](sycl/sycl|CL/sycl)\.hpp[>\"]", re.MULTILINE
)
_MAX_SIZE = 1 << 20
"""How much of a source is searched, in bytes."""
_FOLDER_OPTIONS = ("-I", "-isystem", "-iquote")


def sycl_source(args: Sequence[str]) -> str:
    """Return the first source that includes the SYCL headers, which no option finds; or ""."""
    if any(Path(folder, "sycl/sycl.hpp").exists() for folder in _folders(args)):
        return ""
    for arg in args:
        if arg.endswith(_SOURCES) and not arg.startswith("-"):
            with suppress(OSError), Path(arg).open("rb") as file:
                if _INCLUDE.search(file.read(_MAX_SIZE)):
                    return arg
    return ""


def _folders(args: Sequence[str]) -> Iterator[str]:
    """Yield the folders in which clang looks for headers, as far as options name them."""
    rest = iter(args)
    for arg in rest:
        for option in _FOLDER_OPTIONS:
            if arg.startswith(option):
                yield arg.removeprefix(option) or next(rest, "")

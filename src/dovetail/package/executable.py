"""Writing self-contained executables.

In: a packaged program and its host code as a shared object. Out: the bytes of an executable zip, as
written by Python's zipapp; `dovetail.image.executable` describes its layout.
"""

import io
import shlex
import sys
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from dovetail.errors import InputError
from dovetail.image.executable import (
    HOST_LIBRARY,
    INTERPRETER,
    MAIN,
    PROGRAM,
    START,
    Executable,
)

_ANY_PYTHON = "/usr/bin/env python3"
_SHELL = b"/bin/sh"

# Bytes, including `#!`; older kernels truncate longer first lines.
_MAX_LINE_SIZE = 127

# The file does not contain the runtime; the Python that runs the file must have it.
_MAIN_TEXT = """\
import sys

try:
    from dovetail.cli.main import main
except ModuleNotFoundError as error:
    if error.name not in ("dovetail", "dovetail.cli", "dovetail.cli.main"):
        raise
    sys.exit(
        f"{sys.argv[0]}: error: this program needs Dovetail's runtime, which {sys.executable} does"
        " not have\\ninstall the package 'dovetail' there, name another Python in the first line of"
        " the program, or start it with 'dovetail run'"
    )
sys.exit(main(["run", sys.argv[0], "--", *sys.argv[1:]]))
"""


def package_executable(executable: Executable) -> bytes:
    """Return the content of an executable file for a program."""
    _require_main(bytes(executable.host_library))
    content = io.BytesIO()
    with ZipFile(content, "w", ZIP_STORED) as archive:
        # A default `ZipInfo` has a fixed date, so the output is deterministic.
        archive.writestr(ZipInfo(MAIN), _MAIN_TEXT)
        archive.writestr(ZipInfo(HOST_LIBRARY), bytes(executable.host_library))
        archive.writestr(ZipInfo(PROGRAM), bytes(executable.program))
    # Offsets in the zip are relative to its start, so the first line can be changed later.
    return _start_lines() + content.getvalue()


def _start_lines() -> bytes:
    """Return the lines that run the file with the current Python, or with any if it is unknown."""
    python = sys.executable.encode(errors="surrogateescape")
    # A path with a line break cannot be written into the line.
    if not python or b"\n" in python:
        return INTERPRETER + _ANY_PYTHON.encode() + b"\n"
    line = INTERPRETER + python
    if len(line) <= _MAX_LINE_SIZE and not set(python) & set(b" \t"):
        return line + b"\n"
    quoted = shlex.quote(sys.executable).encode(errors="surrogateescape")
    return INTERPRETER + _SHELL + b"\n" + START + quoted + b' "$0" "$@"\n'


def _require_main(host_library: bytes) -> None:
    """Raise `InputError` at build time if the program has no entry point."""
    # The string table of exported symbols has a zero before and after each name.
    if b"\0main\0" not in host_library:
        raise InputError(
            "the program has no `main`",
            hint="a program needs `int main()` or `int main(int, char **)`, outside of namespaces;"
            " -fsyclbin builds kernels without one",
        )

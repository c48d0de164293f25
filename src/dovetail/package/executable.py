"""Put both sides of a program into one file that is started by itself.

In: a packaged program and its host code as a shared object. Out: the bytes of an executable zip,
as Python's zipapp makes them; `dovetail.image.executable` says what is in it.
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

# Older kernels cut the first line of a file there, `#!` included.
_LONGEST_LINE = 127

# The runtime is not in the file: whatever Python starts the file has to have it.
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
    """The content of a file that starts the program, once it may be executed."""
    _refuse_without_main(bytes(executable.host_library))
    content = io.BytesIO()
    with ZipFile(content, "w", ZIP_STORED) as archive:
        # A `ZipInfo` by itself has one date for all, so that equal programs are equal files.
        archive.writestr(ZipInfo(MAIN), _MAIN_TEXT)
        archive.writestr(ZipInfo(HOST_LIBRARY), bytes(executable.host_library))
        archive.writestr(ZipInfo(PROGRAM), bytes(executable.program))
    # Offsets in the zip count from its own start, so that any other first line will do as well.
    return _start_lines() + content.getvalue()


def _start_lines() -> bytes:
    """What has the Python that runs now start the file, or any, if nothing is known of it."""
    python = sys.executable.encode(errors="surrogateescape")
    # What follows a line break would not be taken for a part of the path.
    if not python or b"\n" in python:
        return INTERPRETER + _ANY_PYTHON.encode() + b"\n"
    line = INTERPRETER + python
    if len(line) <= _LONGEST_LINE and not set(python) & set(b" \t"):
        return line + b"\n"
    quoted = shlex.quote(sys.executable).encode(errors="surrogateescape")
    return INTERPRETER + _SHELL + b"\n" + START + quoted + b' "$0" "$@"\n'


def _refuse_without_main(host_library: bytes) -> None:
    """Say now what the start of the program would say."""
    # What is exported is in a table of names, each between zeros.
    if b"\0main\0" not in host_library:
        raise InputError(
            "the program has no `main`",
            hint="a program needs `int main()` or `int main(int, char **)`, outside of namespaces;"
            " -fsyclbin builds kernels without one",
        )

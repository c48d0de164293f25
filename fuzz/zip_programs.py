"""Writing zip programs, as older versions of `dovetail c++` did."""

import io
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from dovetail.image.executable import HOST_LIBRARY, MAIN, PROGRAM, Executable

ANY_PYTHON = b"#!/usr/bin/env python3\n"

_MAIN_TEXT = """\
import sys
from dovetail.cli.main import main
sys.exit(main(["run", sys.argv[0], "--", *sys.argv[1:]]))
"""


def zip_program(executable: Executable, start: bytes = ANY_PYTHON) -> bytes:
    """Return the content of a program file; `start` is the line or lines that start it."""
    content = io.BytesIO()
    with ZipFile(content, "w", ZIP_STORED) as archive:
        # A default `ZipInfo` has a fixed date, so the output is deterministic.
        archive.writestr(ZipInfo(MAIN), _MAIN_TEXT)
        archive.writestr(ZipInfo(HOST_LIBRARY), bytes(executable.host_library))
        archive.writestr(ZipInfo(PROGRAM), bytes(executable.program))
    # Offsets in the zip are relative to its start, so the first line can be changed later.
    return start + content.getvalue()

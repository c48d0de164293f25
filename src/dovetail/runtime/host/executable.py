"""Program files that `dovetail c++` writes: starting them.

They are ELF executables, which start by themselves. Older ones are zip files, whose host code this
process loads.
"""

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NoReturn

from dovetail.errors import FormatError, InputError
from dovetail.files import PROGRAM, map_file, read_bytes
from dovetail.image.executable import HEAD_SIZE, begins_as_executable, read_executable
from dovetail.image.window import Bytes
from dovetail.runtime.host.process import run
from dovetail.runtime.program import Program
from dovetail.settings import RUNTIME
from dovetail.targets import Target

_ELF = b"\x7fELF"


def is_executable(path: str) -> bool:
    """Return whether the file is a program file, perhaps a damaged one."""
    # Reading from a pipe would consume the data.
    if not Path(path).is_file():
        return False
    try:
        with Path(path).open("rb") as file:
            head = file.read(HEAD_SIZE)
        return begins_as_executable(head) or is_elf_program(path)
    except OSError:
        # The next read reports the error.
        return False


def is_elf_program(path: str) -> bool:
    """Return whether the file is an ELF file with device code."""
    with Path(path).open("rb") as file:
        if file.read(len(_ELF)) != _ELF:
            return False
    # Imported late: sources and zip programs need no reader of ELF.
    from dovetail.image import has_embedded_program

    try:
        return has_embedded_program(map_file(path))
    except FormatError:
        return False


def replace_by_program(
    path: str, arguments: Sequence[str], settings: Mapping[str, str]
) -> NoReturn:
    """Replace this process by an ELF program that uses the runtime of this Python."""
    environment = {**os.environ, RUNTIME.variable: sys.executable, **settings}
    try:
        os.execve(path, [path, *arguments], environment)
    except OSError as error:
        raise InputError(f"cannot start '{path}': {error.strerror}") from None


def run_executable(
    path: str, arguments: Sequence[str], stands_for: Target | None = None
) -> NoReturn:
    """Run the program in a zip file, as `run` does; `path` is its name."""
    # Imported late: only zip programs need it.
    from dovetail.image.search_path import resolve_origin

    data = read_bytes(path, PROGRAM)
    try:
        executable = read_executable(data)
        program = Program.from_bytes(bytes(executable.program), path)
    except FormatError as error:
        raise FormatError(
            f"'{path}' is not a SYCL program file, or is damaged: {error.message}",
            hint="build programs with 'dovetail c++ -fsycl SOURCE... -o FILE'",
        ) from None
    folder = os.fspath(Path(path).resolve().parent)
    library = library_in_memory(resolve_origin(executable.host_library, folder))
    run(program, library, [path, *arguments], stands_for)


def library_in_memory(library: Bytes) -> Path:
    """Return a path for loading the library; no file is left behind when the process ends."""
    descriptor = os.memfd_create("host-code", os.MFD_CLOEXEC)
    with os.fdopen(os.dup(descriptor), "wb") as file:
        file.write(library)
    return Path(f"/proc/self/fd/{descriptor}")

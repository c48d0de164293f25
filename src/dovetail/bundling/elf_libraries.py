"""The shared libraries that the files of a bundle need, and where they are."""

import re
from collections.abc import Iterable
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import NamedTuple

from dovetail.errors import FormatError, InputError
from dovetail.image.search_path import needed_libraries
from dovetail.processes.process import Processes

_LOADER = "/lib64/ld-linux-x86-64.so.2"
_LIST = {"LD_TRACE_LOADED_OBJECTS": "1", "LC_ALL": "C"}
_RESOLVED = re.compile(r"\s*(\S+) => (.+?) \(0x[0-9a-f]+\)")
_MISSING = re.compile(r"\s*(\S+) => not found")

_SYSTEM_FOLDERS = tuple(map(Path, ("/lib", "/lib64", "/usr/lib", "/usr/lib64")))
_SEARCHED = tuple(
    folder
    for name in ("x86_64-linux-gnu", "")
    for folder in (*(each / name for each in _SYSTEM_FOLDERS), Path("/usr/local/lib", name))
)

_PART_OF_EVERY_SYSTEM = re.compile(
    r"(ld-linux-x86-64|lib(c|m|dl|rt|pthread|util|resolv|gcc_s|stdc\+\+))\.so\.\d+"
)
"""The C and C++ libraries, which programs need before anything of a bundle is loaded."""


class ProgramLibraries(NamedTuple):
    """The shared libraries of a program."""

    own: dict[str, Path]
    """Outside of the system's folders, by the name that the program needs."""
    system: list[str]
    """Of the system, which the other machine has to have."""


def program_libraries(files: Iterable[Path]) -> ProgramLibraries:
    """Return the libraries that these files need, directly or through others.

    `InputError` if one is not found.
    """
    own: dict[str, Path] = {}
    system: dict[str, None] = {}
    for file in files:
        for name, path in _resolved(file).items():
            if _is_of_system(path):
                system[name] = None
            else:
                own[name] = path
    return ProgramLibraries(own, sorted(system))


def _resolved(file: Path) -> dict[str, Path]:
    """Ask the dynamic linker for the libraries of a file, without running it."""
    # As `ldd` does; `--list` does not say which libraries are missing.
    listed = Processes().run([_LOADER, str(file.absolute())], environment=_LIST)
    lines = listed.output.decode(errors="surrogateescape").splitlines()
    missing = [match[1] for line in lines if (match := _MISSING.match(line))]
    if missing:
        raise InputError(
            f"'{file}' needs the library '{missing[0]}', which was not found",
            hint="link with -Wl,-rpath,FOLDER, or set LD_LIBRARY_PATH to its folder",
        )
    return {match[1]: Path(match[2]) for line in lines if (match := _RESOLVED.match(line))}


def _is_of_system(path: Path) -> bool:
    return any(path.is_relative_to(folder) for folder in _SYSTEM_FOLDERS)


def missing_elsewhere(files: Iterable[Path], bundled: Iterable[str]) -> dict[str, Path]:
    """Return the system's libraries that these files need, apart from the C and C++ libraries.

    `bundled` are the names of libraries that are in the bundle anyway.
    """
    known = set(bundled)
    found: dict[str, Path] = {}
    waiting = list(files)
    while waiting:
        for name in needed_by(waiting.pop()):
            path = None if name in known or _PART_OF_EVERY_SYSTEM.fullmatch(name) else _find(name)
            known.add(name)
            if path:
                found[name] = path
                waiting.append(path)
    return found


def needed_by(file: Path) -> list[str]:
    """Return the names of the libraries that a file needs directly."""
    with file.open("rb") as opened, mmap(opened.fileno(), 0, access=ACCESS_READ) as content:
        try:
            return needed_libraries(memoryview(content))
        except FormatError:
            return []


def _find(name: str) -> Path | None:
    return next((path for folder in _SEARCHED if (path := folder / name).is_file()), None)

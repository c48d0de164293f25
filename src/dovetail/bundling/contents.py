"""What goes into a bundle."""

import json
from collections.abc import Iterable, Iterator, Set as AbstractSet
from itertools import chain
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from dovetail import trust
from dovetail.bundling import licences
from dovetail.bundling.bundled_file import LICENCES, RUNTIME, SYSTEM_LIBRARIES, BundledFile
from dovetail.bundling.elf_libraries import missing_elsewhere, needed_by, program_libraries
from dovetail.bundling.packages import (
    DOVETAIL,
    PROCESSORS,
    distributions,
    dovetail_entries,
    driver_entries,
    package_entries,
)
from dovetail.bundling.python_files import PACKAGES, python_entries
from dovetail.errors import InputError, UsageError
from dovetail.files import map_file
from dovetail.image.embedded import has_embedded_program, read_embedded_program
from dovetail.image.search_path import ORIGIN_FOLDER, with_search_path
from dovetail.version import __version__

PROGRAM = "program"
SYSTEM = "system libraries"
MANIFEST = RUNTIME / "bundle.json"


class BundleRequest(NamedTuple):
    """The user's request for a bundle."""

    program: Path
    libraries: tuple[Path, ...] = ()
    """Shared libraries that the program loads with `dlopen`."""
    packages: tuple[str, ...] = ()
    """Python packages besides those of the runtime."""
    processors: tuple[str, ...] = tuple(PROCESSORS)
    """The kinds of processors for which the CPU driver is included."""
    with_opencl_c: bool = False
    """Whether the CPU driver's compiler for OpenCL C is included."""


class Bundle(NamedTuple):
    """The files of a bundle, and what is not in it."""

    entries: list[BundledFile]
    needed: list[str]
    """The system's libraries that the program needs on the other machine."""
    has_cpu_driver: bool


def plan_bundle(request: BundleRequest) -> Bundle:
    """Return the files of a bundle; nothing is written."""
    given = [request.program, *request.libraries]
    if request.program.name in (RUNTIME.name, LICENCES.name):
        raise UsageError(
            f"a bundle has a folder '{request.program.name}', so no program can have this name",
            hint="rename the program",
        )
    # This is also an error if a file does not exist.
    has_code = [_has_device_code(file) for file in given]
    libraries = program_libraries(given)
    if not any(has_code) and not any(map(_has_device_code, libraries.own.values())):
        raise InputError(
            f"'{request.program}' has no packaged device code, nor have its libraries",
            hint="build it with 'dovetail c++ -fsycl'",
        )
    packages = distributions(request.packages)
    driver = list(driver_entries(packages, request.processors, with_opencl_c=request.with_opencl_c))
    entries = [
        *_program_entries(request, libraries.own),
        *python_entries(),
        *dovetail_entries(),
        *chain.from_iterable(map(package_entries, packages)),
        *driver,
    ]
    system = missing_elsewhere(_elf_files(entries), (entry.path.name for entry in entries))
    entries += [
        BundledFile(SYSTEM_LIBRARIES / name, system[name], SYSTEM) for name in sorted(system)
    ]
    entries += [
        *licences.own_licence(),
        *licences.python_licence(),
        *chain.from_iterable(map(licences.package_licences, packages)),
        *licences.system_licences(system.values()),
    ]
    entries += [_trusted_code([*given, *libraries.own.values()]), _manifest(request)]
    return Bundle(_once_each(entries), libraries.system, bool(driver))


def _program_entries(request: BundleRequest, own: dict[str, Path]) -> Iterator[BundledFile]:
    """Yield the program and its libraries, which are all in one folder."""
    direct = own.keys() & needed_by(request.program)
    name = PurePosixPath(request.program.name)
    yield BundledFile(name, _beside(request.program, direct), PROGRAM, is_executable=True)
    others = {**{path.name: path for path in request.libraries}, **own}
    for library, path in others.items():
        # Those that the program needs are loaded before those that its libraries need.
        needed = own.keys() & set(needed_by(path)) - direct
        yield BundledFile(PurePosixPath(library), _beside(path, needed), PROGRAM)


def _beside(file: Path, needed: AbstractSet[str]) -> Path | bytes:
    """Return a file that finds the libraries that it needs in its own folder."""
    if not needed:
        return file
    found = with_search_path(map_file(file), ORIGIN_FOLDER)
    if found is None:
        raise InputError(
            f"'{file}' would not find '{min(needed)}' in the bundle: it has no search path",
            hint=f"link it with -Wl,-rpath,'{ORIGIN_FOLDER}'",
        )
    return found


def _has_device_code(file: Path) -> bool:
    return has_embedded_program(map_file(file))


def _trusted_code(files: Iterable[Path]) -> BundledFile:
    """Return the record of device code that need not be validated on the other machine."""
    contents = filter(has_embedded_program, map(map_file, files))
    modules = chain.from_iterable(read_embedded_program(each).abstract_modules for each in contents)
    codes = (bytes(code.code) for module in modules for code in module.ir_modules)
    return BundledFile(
        PACKAGES / "dovetail" / trust.BUNDLED_CODE.name, trust.records(codes), DOVETAIL
    )


def _elf_files(entries: Iterable[BundledFile]) -> list[Path]:
    return [
        entry.source
        for entry in entries
        if entry.component != PROGRAM
        and isinstance(entry.source, Path)
        and ".so" in entry.path.name
    ]


def _once_each(entries: Iterable[BundledFile]) -> list[BundledFile]:
    return list({entry.path: entry for entry in entries}.values())


def _manifest(request: BundleRequest) -> BundledFile:
    """Return the file by which a directory is recognized as a bundle."""
    content = {"program": request.program.name, "dovetail": __version__}
    return BundledFile(MANIFEST, json.dumps(content).encode() + b"\n", "Python")

"""The commands that link the host side of programs and libraries."""

import os
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path

from dovetail.resources import CLANG, LLD, start_library, tool_path

_NAMES_LINKER = ("-fuse-ld=", "--ld-path=")


def fat_object_options(line: Sequence[str]) -> tuple[str, ...]:
    """Return options for link-time optimization, if the line has it.

    Objects then have native code, too: device code is a section, which bitcode cannot have.
    """
    given = [word for word in line if word in ("-flto", "-fno-lto") or word.startswith("-flto=")]
    return ("-ffat-lto-objects",) if given and given[-1] != "-fno-lto" else ()


def join_objects_command(objects: Sequence[Path], output: Path) -> tuple[str, ...]:
    """Return the command that joins object files into one."""
    return (tool_path(LLD), "-r", *map(os.fspath, objects), "-o", os.fspath(output))


def start_library_options() -> tuple[str, ...]:
    """Return the linker's arguments for the native part that starts the runtime."""
    # The headers' reference is weak, for which linkers take nothing from an archive.
    return ("-Wl,-u,dovetail_start_runtime", os.fspath(start_library()))


class HostForm(StrEnum):
    """What the host side of a program is linked into."""

    PROGRAM = "program"
    LIBRARY = "library"
    """A shared library for other programs."""
    LOADED = "loaded"
    """A shared object with a `main`, which the runtime loads into its own process."""


def host_link_command(
    line: Sequence[str],
    output: Path,
    *,
    dependencies: Path,
    bodies: Sequence[Path] = (),
    form: HostForm = HostForm.LOADED,
    traced: bool = False,
) -> tuple[str, ...]:
    """Return the command that links the host side.

    `line` contains objects, libraries and linker options in order. `bodies` are linked lazily, as
    members of an archive are. The linker writes the files that it read to `dependencies`; if
    `traced`, it prints the inputs that it used.
    """
    # -Wl would split the path at commas.
    report = ("-Xlinker", f"--dependency-file={os.fspath(dependencies)}")
    trace = ("-Wl,--trace",) if traced else ()
    # Build systems also pass options for the compiler.
    given = ("-Wno-unused-command-line-argument", *fat_object_options(line))
    named = [word.partition("=")[2] for word in line if word.startswith(_NAMES_LINKER)]
    linker = () if named else ("-fuse-ld=lld",)
    options = (*linker, *_FORM_OPTIONS[form], *report, *trace)
    inputs = (*given, *line, *_lazily(bodies, named))
    start = () if form is HostForm.LOADED else start_library_options()
    return (tool_path(CLANG), *options, *inputs, *start, "-o", os.fspath(output))


# Without -Bsymbolic, symbols that other code exports would take precedence over the library's.
_FORM_OPTIONS = {
    # A library's device functions may call functions of the program that loads it. The host side of
    # these calls is resolved lazily, and may be missing.
    HostForm.PROGRAM: ("-Wl,--allow-shlib-undefined",),
    HostForm.LIBRARY: ("-shared", "-Wl,-z,lazy", "-Wl,-Bsymbolic"),
    HostForm.LOADED: ("-shared", "-Wl,-z,defs", "-Wl,-Bsymbolic"),
}

_LINKERS_WITH_LAZY_OBJECTS = ("lld", "gold")


def _lazily(bodies: Sequence[Path], named: Sequence[str]) -> tuple[str, ...]:
    """Return the linker's arguments for objects that it links only if they are needed.

    `named` are the linkers that the command line names; the last one counts.
    """
    files = tuple(map(os.fspath, bodies))
    # Other linkers take them whole, which their weak symbols permit.
    if not files or any(each not in _LINKERS_WITH_LAZY_OBJECTS for each in named[-1:]):
        return files
    return ("-Wl,--start-lib", *files, "-Wl,--end-lib")

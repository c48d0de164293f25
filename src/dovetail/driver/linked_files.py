"""Find device code in the files on a linker's command line.

Objects and members of archives may contain device code. Only their section tables are read, before
anything runs. Files that are not objects, such as shared libraries, are left to the host's linker.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from dovetail.driver.clang_options import TAKE_NEXT_WORD
from dovetail.driver.inputs import LinkedObject, LinkLine
from dovetail.driver.linker_script import is_linker_script, script_inputs
from dovetail.errors import FormatError, InputError
from dovetail.files import map_file
from dovetail.frontend import PrecompiledHeader, Source, header_of_object
from dovetail.image.archive import is_archive, read_archive
from dovetail.image.device_section import read_device_section
from dovetail.image.elf import is_elf
from dovetail.image.program import is_program

_FOR_LINKER = "-Wl,"
_STATICALLY = ("-Bstatic", "-dn", "-non_shared", "-static")


def read_link_line(words: Sequence[Source | str]) -> LinkLine:
    """Return the link line with the device code of all files that its arguments name."""
    files = _files(list(_linker_words(word for word in words if isinstance(word, str))))
    objects = tuple(each for path in files for each in _objects_in(path))
    headers, warnings = _headers(objects)
    return LinkLine(tuple(words), objects, tuple(headers), tuple(warnings))


def _linker_words(words: Iterable[str]) -> Iterator[str]:
    """Return the linker's arguments that may name files or say where these are."""
    rest = iter(words)
    for word in rest:
        if word == "-Xlinker":
            parts = [next(rest, "")]
        elif word.startswith(_FOR_LINKER):
            parts = word.removeprefix(_FOR_LINKER).split(",")
        else:
            yield word
            continue
        for part in parts:
            # Other arguments are options, or values of unknown options.
            if part.startswith(("-l", "-L", *_STATICALLY)) or Path(part).is_file():
                yield part


class _Search(NamedTuple):
    """Where the linker looks for libraries."""

    folders: tuple[str, ...]
    """The folders on the command line; the linker's default folders have no device code."""
    statically: bool

    @classmethod
    def of(cls, words: Sequence[str]) -> "_Search":
        folders = [_option_value(words, index, "-L") for index, _ in enumerate(words)]
        folders += os.environ.get("LIBRARY_PATH", "").split(os.pathsep)
        statically = any(part in _STATICALLY for word in words for part in word.split(","))
        return cls(tuple(filter(None, folders)), statically)

    def library(self, name: str) -> str:
        """Return the archive or script that `-l` finds; empty for a shared library or nothing."""
        for folder in self.folders:
            if name.startswith(":"):
                found = Path(folder, name[1:])
                if found.is_file():
                    return os.fspath(found)
                continue
            shared = Path(folder, f"lib{name}.so")
            if not self.statically and shared.is_file():
                return "" if is_elf(map_file(os.fspath(shared))) else os.fspath(shared)
            archive = Path(folder, f"lib{name}.a")
            if archive.is_file():
                return os.fspath(archive)
        return ""

    def input_of(self, script: str, name: str) -> str:
        """Return the file that a linker script names; empty if missing, or a shared library."""
        if name.startswith("-l"):
            return self.library(name.removeprefix("-l"))
        folders = (Path(script).parent, Path(), *map(Path, self.folders))
        found = (folder / name for folder in folders if (folder / name).is_file())
        return os.fspath(next(found, ""))


def _files(words: Sequence[str]) -> Iterator[str]:
    """Return the objects, archives and programs to link, including those that scripts name."""
    search = _Search.of(words)
    waiting = [*_named_files(words, search)][::-1]
    seen: set[str] = set()
    while waiting:
        path = waiting.pop()
        if not path or path in seen:
            continue
        seen.add(path)
        content = map_file(path)
        if is_elf(content) or is_archive(content) or is_program(content):
            yield path
        elif is_linker_script(content):
            named = [search.input_of(path, name) for name in script_inputs(content)]
            waiting += reversed(named)


def _named_files(words: Sequence[str], search: _Search) -> Iterator[str]:
    """Yield the files that words name; an empty string for each shared library."""
    for index, word in enumerate(words):
        library = _option_value(words, index, "-l")
        is_value = index > 0 and words[index - 1] in TAKE_NEXT_WORD
        if library:
            yield search.library(library)
        elif not word.startswith("-") and not is_value:
            yield word


def _option_value(words: Sequence[str], index: int, option: str) -> str:
    """Return the value of `option`, in the same word or in the next one, if it is at `index`.

    Return an empty string if another word is there, or if the value is missing.
    """
    word = words[index]
    if word == option:
        return words[index + 1] if index + 1 < len(words) else ""
    return word.removeprefix(option) if word.startswith(option) else ""


def _objects_in(path: str) -> Iterator[LinkedObject]:
    """Yield the objects with device code in an object or archive; raise an error for a program."""
    content = map_file(path)
    try:
        if is_elf(content):
            yield from _carrying([LinkedObject(path, read_device_section(content))])
        elif is_archive(content):
            carrying = [*_carrying(_members(path, content))]
            if carrying and "\n" in path:
                raise InputError(
                    f"the archive name {path!r} contains a line break, so lld's list of linked"
                    " members cannot be parsed",
                    hint="rename it",
                )
            yield from carrying
        elif is_program(content):
            raise InputError(
                f"'{path}' is a SYCL program file, and cannot be linked",
                hint="'dovetail inspect' shows its contents",
            )
    except FormatError as error:
        raise FormatError(f"'{path}': {error.message}", hint=error.hint) from None


def _members(archive: str, content: memoryview) -> Iterator[LinkedObject]:
    """Yield the objects in an archive; those of a thin archive are files beside it."""
    for member in read_archive(content):
        data = member.content
        if data is None:
            data = map_file(os.fspath(Path(archive).parent / member.name))
        if is_elf(data):
            yield LinkedObject(member.name, read_device_section(data), archive)


def _carrying(objects: Iterable[LinkedObject]) -> Iterator[LinkedObject]:
    """Return the objects that have device code."""
    return (linked for linked in objects if linked.section)


def _headers(objects: Iterable[LinkedObject]) -> tuple[list[PrecompiledHeader], list[str]]:
    """Return the headers that objects were compiled with, and warnings about ignored options."""
    names: dict[tuple[str, ...], str] = {}
    for linked in objects:
        names |= {words: names.get(words, str(linked)) for words in linked.section.bodies}
    headers: list[PrecompiledHeader] = []
    warnings: list[str] = []
    for words, name in names.items():
        header, dropped = header_of_object(words)
        headers.append(header)
        warnings += (
            f"'{name}' requests '{option}', which object files may not set; it is linked with SYCL"
            " headers that are compiled without it"
            for option in dropped
        )
    return headers, warnings

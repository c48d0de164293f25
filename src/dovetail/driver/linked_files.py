"""What a line for the linker names, looked at.

Objects and members of archives may carry device code. Each is looked at before anything runs, at
its table of sections alone; what is no object, such as a shared library, is for the host's linker.
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
    """Look at everything that the words name."""
    files = _files(list(_linker_words(word for word in words if isinstance(word, str))))
    objects = tuple(each for path in files for each in _objects_in(path))
    headers, warnings = _headers(objects)
    return LinkLine(tuple(words), objects, tuple(headers), tuple(warnings))


def _linker_words(words: Iterable[str]) -> Iterator[str]:
    """The words as the linker sees them, of which only those count that may name files."""
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
            # Others are options, and values of options that we do not know.
            if part.startswith(("-l", "-L", *_STATICALLY)) or Path(part).is_file():
                yield part


class _Search(NamedTuple):
    """Where the linker looks for libraries."""

    folders: tuple[str, ...]
    """Those that were named; others have nothing of ours."""
    statically: bool

    @classmethod
    def of(cls, words: Sequence[str]) -> "_Search":
        folders = [_joined(words, number, "-L") for number, _ in enumerate(words)]
        folders += os.environ.get("LIBRARY_PATH", "").split(os.pathsep)
        statically = any(part in _STATICALLY for word in words for part in word.split(","))
        return cls(tuple(filter(None, folders)), statically)

    def library(self, name: str) -> str:
        """The archive that `-l` finds, or a script; nothing for a shared library."""
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
        """The file that a linker script means; nothing if there is none, or a shared library."""
        if name.startswith("-l"):
            return self.library(name.removeprefix("-l"))
        folders = (Path(script).parent, Path(), *map(Path, self.folders))
        found = (folder / name for folder in folders if (folder / name).is_file())
        return os.fspath(next(found, ""))


def _files(words: Sequence[str]) -> Iterator[str]:
    """Objects and archives that the linker will look at, and what scripts among them name."""
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
    for number, word in enumerate(words):
        library = _joined(words, number, "-l")
        is_value = number > 0 and words[number - 1] in TAKE_NEXT_WORD
        if library:
            yield search.library(library)
        elif not word.startswith("-") and not is_value:
            yield word


def _joined(words: Sequence[str], number: int, option: str) -> str:
    """The value of an option at that place; empty if it stands not there."""
    word = words[number]
    if word == option:
        return words[number + 1] if number + 1 < len(words) else ""
    return word.removeprefix(option) if word.startswith(option) else ""


def _objects_in(path: str) -> Iterator[LinkedObject]:
    content = map_file(path)
    try:
        if is_elf(content):
            yield from _carrying([LinkedObject(path, read_device_section(content))])
        elif is_archive(content):
            carrying = [*_carrying(_members(path, content))]
            if carrying and "\n" in path:
                raise InputError(
                    f"the name of the archive {path!r} has a line break: which of its members are"
                    " linked cannot be read from what lld lists",
                    hint="rename it",
                )
            yield from carrying
        elif is_program(content):
            raise InputError(
                f"'{path}' is a program, built already, and cannot be linked",
                hint="'dovetail inspect' shows what is in it",
            )
    except FormatError as error:
        raise FormatError(f"'{path}': {error.message}", hint=error.hint) from None


def _members(archive: str, content: memoryview) -> Iterator[LinkedObject]:
    for member in read_archive(content):
        data = member.content
        if data is None:
            data = map_file(os.fspath(Path(archive).parent / member.name))
        if is_elf(data):
            yield LinkedObject(member.name, read_device_section(data), archive)


def _carrying(objects: Iterable[LinkedObject]) -> Iterator[LinkedObject]:
    return (linked for linked in objects if linked.section)


def _headers(objects: Iterable[LinkedObject]) -> tuple[list[PrecompiledHeader], list[str]]:
    """Return the headers that objects took, and warnings about what objects may not ask for."""
    words: dict[tuple[str, ...], str] = {}
    for linked in objects:
        words |= {each: words.get(each, str(linked)) for each in linked.section.bodies}
    headers: list[PrecompiledHeader] = []
    warnings: list[str] = []
    for each, name in words.items():
        header, dropped = header_of_object(each)
        headers.append(header)
        warnings += (
            f"'{name}' asks for '{option}', which is not taken from an object file; it is linked"
            " with SYCL headers that are compiled without it"
            for option in dropped
        )
    return headers, warnings

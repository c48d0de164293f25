"""Whether a source can be compiled with the precompiled header.

Clang loads a precompiled header before the source, wherever the source includes it. That has the
same meaning unless something before the `#include` changes what the headers mean. So a source, and
those of the user's headers that it includes, are scanned up to the `#include`, without evaluating
conditions. A macro that both the source and a header define is found by clang, and the source is
then compiled without the precompiled header (`command.is_redefinition`).
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from dovetail.errors import InputError
from dovetail.files import SOURCE, read_bytes
from dovetail.frontend.command import CXX, Flags, Side, Source
from dovetail.frontend.header_options import (
    RELEVANT_MACRO,
    are_allowed,
    with_absolute_directories,
)
from dovetail.resources import include_directory

HEADERS = ("sycl/sycl.hpp",)
"""The headers of ours that include the precompiled part."""

MAX_SCANNED_BYTES = 8 << 20

_DIRECTIVE = re.compile(
    r"^[ \t]*#[ \t]*(include|import|define|undef)\b[ \t]*(?:([<\"])([^>\"\n]+)[>\"]|(\w+))?", re.M
)
_GUARD = re.compile(
    r"[ \t]*#[ \t]*ifndef[ \t]+(\w+)[^\n]*\n\s*#[ \t]*define[ \t]+(\w+)[ \t]*$", re.M
)
_FIRST_DIRECTIVE = re.compile(r"^[ \t]*#", re.M)

_DIRECTORY_OPTIONS = ("-iquote", "-idirafter", "-isystem", "-I")
_INCLUDE = "-include"


def can_use_header(source: Source, flags: Flags) -> bool:
    """Return whether a source can be compiled with the precompiled header."""
    if source.language != CXX:
        return False
    if not all(are_allowed(header_options(side, flags)) for side in Side):
        return False
    given = (*flags.include_directories, *flags.language)
    if any(word in ("-imacros", "-undef", "-ivfsoverlay") for word in given):
        return False
    scan = _Scan(tuple(_directories(given)))
    other = scan.find(HEADERS[0], "<")
    if other and not other.samefile(include_directory() / HEADERS[0]):
        return False
    try:
        return scan.reaches_header(source, _included_first(given))
    except _AffectsHeader:
        return False


def header_options(side: Side, flags: Flags) -> tuple[str, ...]:
    """Return the user's options that change the meaning of the headers.

    Include directories are not among them: the headers include only each other and the system's.
    """
    macros = (each for each in flags.macros if re.match(f"-[DU]{RELEVANT_MACRO}", each))
    others = _without_includes(flags.user_options(side))
    return (*flags.base_options(side), *with_absolute_directories((*others, *macros)))


class _AffectsHeader(Exception):
    """Something before the `#include` may change what the header means."""


class _Directory(NamedTuple):
    path: Path
    is_for_quotes: bool
    """Whether only names in quotes are looked up there."""


class _Scan:
    """Reads files in the order in which clang includes them, each file once."""

    def __init__(self, directories: tuple[_Directory, ...]) -> None:
        self._directories = directories
        self._seen: set[Path] = set()
        self._left = MAX_SCANNED_BYTES

    def reaches_header(self, source: Source, first: Iterable[str]) -> bool:
        """Return whether a source includes our header; `first` is included before it."""
        included = (self.find(name, '"', Path()) for name in first)
        if any(self._file(path) for path in included if path):
            return True
        return self._text(source.text, Path(source.path).parent if source.is_file else Path())

    def find(self, name: str, quote: str, folder: Path | None = None) -> Path | None:
        """Return the path of a header in one of the user's directories."""
        is_quoted = quote == '"'
        places = [folder] if folder is not None and is_quoted else []
        places += [each.path for each in self._directories if is_quoted or not each.is_for_quotes]
        return next((path for place in places if (path := place / name).is_file()), None)

    def _file(self, path: Path) -> bool:
        if path in self._seen:
            return False
        self._seen.add(path)
        try:
            data = read_bytes(path, SOURCE)
        except InputError:
            raise _AffectsHeader from None
        self._left -= len(data)
        if self._left < 0:
            raise _AffectsHeader
        text = data.decode(errors="replace")
        return self._text(text, path.parent, _guard_of(text))

    def _text(self, text: str, folder: Path, guard: str = "") -> bool:
        """Return whether a text includes our header; raise if something before affects it."""
        for directive in _DIRECTIVE.finditer(text):
            kind, quote, name, macro = directive.groups()
            if kind in ("define", "undef"):
                if macro and macro != guard and re.match(RELEVANT_MACRO, macro):
                    raise _AffectsHeader
            elif name in HEADERS or (
                name and (path := self.find(name, quote, folder)) and self._file(path)
            ):
                return True
        return False


def _guard_of(text: str) -> str:
    """Return the macro of a header's include guard; empty if it has none."""
    first = _FIRST_DIRECTIVE.search(text)
    guard = _GUARD.match(text, first.start()) if first else None
    return guard[1] if guard and guard[1] == guard[2] != "NDEBUG" else ""


def _directories(words: Iterable[str]) -> Iterator[_Directory]:
    for option, value in _pairs(words):
        if option in _DIRECTORY_OPTIONS:
            yield _Directory(Path(value), option == "-iquote")


def _included_first(words: Iterable[str]) -> Iterator[str]:
    return (value for option, value in _pairs(words) if option == _INCLUDE)


def _without_includes(words: Iterable[str]) -> Iterator[str]:
    return (value for option, value in _pairs(words) if not option)


def _pairs(words: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield options for files and directories with their values; other words have no option."""
    rest = iter(words)
    for word in rest:
        options = (each for each in (*_DIRECTORY_OPTIONS, _INCLUDE) if word.startswith(each))
        option = next(options, "")
        value = word[len(option) :]
        # Other options have these as a prefix, such as -include-pch.
        if not option or value.startswith("-"):
            yield "", word
        else:
            yield option, value or next(rest, "")

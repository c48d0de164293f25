"""Whether a source can be compiled with the precompiled header.

Clang loads a precompiled header before the source, wherever the source includes it. That has the
same meaning unless something before the `#include` changes what the headers mean. So a source, and
those of the user's headers that it includes, are scanned up to the `#include`, without evaluating
conditions. Macros that the headers test select a variant of the precompiled header
(`source_macros`). A macro that both the source and a header define is found by clang, and the
source is then compiled without the precompiled header (`command.is_redefinition`).
"""

import re
from collections.abc import Callable, Iterable, Iterator
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
from dovetail.frontend.source_macros import WITHOUT_EFFECT, TextPlace, definition_as_option
from dovetail.resources import include_directory

HEADERS = ("sycl/sycl.hpp", "CL/sycl.hpp")
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
_NO_DEPRECATED = "-Wno-deprecated"


def _may_be_tested(name: str) -> bool:
    return bool(name)


def header_macros(
    source: Source, flags: Flags, is_tested: Callable[[str], bool] = _may_be_tested
) -> tuple[str, ...] | None:
    """Return the macros, as `-D` options, of the precompiled header that a source can use.

    They are those that the source defines before it includes the header; None if it can use no
    precompiled header. `is_tested` says whether a macro occurs in the headers. Macros that the
    options define select the header anyway.
    """
    if source.language != CXX:
        return None
    if not all(are_allowed(header_options(side, flags)) for side in Side):
        return None
    given = (*flags.include_directories, *flags.language)
    if any(word in ("-imacros", "-undef", "-ivfsoverlay") for word in given):
        return None
    defined = [each[2:].partition("=")[0] for each in flags.macros if each.startswith("-D")]
    scan = _Scan(tuple(_directories(given)), lambda name: name not in defined and is_tested(name))
    for header in HEADERS:
        other = scan.find(header, "<")
        if other and not other.samefile(include_directory() / header):
            return None
    try:
        return tuple(scan.macros) if scan.reaches_header(source, _included_first(given)) else None
    except _AffectsHeader:
        return None


def header_options(side: Side, flags: Flags) -> tuple[str, ...]:
    """Return the user's options that change the meaning of the headers.

    Include directories are not among them: the headers include only each other and the system's.
    """
    macros = (each for each in flags.macros if re.match(f"-[DU]{RELEVANT_MACRO}", each))
    others = _without_includes(flags.user_options(side))
    options = (*_deprecated_macro(flags.warnings), *with_absolute_directories((*others, *macros)))
    return (*flags.base_options(side), *options)


def _deprecated_macro(warnings: Iterable[str]) -> tuple[str, ...]:
    """Return the warning option that decides whether clang defines `__DEPRECATED`."""
    given = [each for each in warnings if each in ("-Wdeprecated", _NO_DEPRECATED)]
    return (_NO_DEPRECATED,) if given[-1:] == [_NO_DEPRECATED] else ()


class _AffectsHeader(Exception):
    """Something before the `#include` may change what the header means."""


class _Directory(NamedTuple):
    path: Path
    is_for_quotes: bool
    """Whether only names in quotes are looked up there."""


class _Scan:
    """Reads files in the order in which clang includes them, each file once."""

    def __init__(
        self, directories: tuple[_Directory, ...], is_tested: Callable[[str], bool]
    ) -> None:
        self._directories = directories
        self._is_tested = is_tested
        self._seen: set[Path] = set()
        self._left = MAX_SCANNED_BYTES
        self._texts: list[str] = []
        """The texts before the current place, except for those of the current file."""
        self._includers: list[TextPlace] = []
        self._after_others = False
        """Whether a header was included that is not the user's."""
        self.macros: list[str] = []
        """The macros of the variant, as `-D` options."""

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
        """Check an included file once; raise `_AffectsHeader` if it is missing or too large."""
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
                if macro and macro != guard and self._affects_headers(macro):
                    self._select(macro, kind, _line_end(text, directive, guard))
            elif name in HEADERS:
                return True
            elif name and (path := self.find(name, quote, folder)):
                self._includers.append(TextPlace(text, directive.start(), guard))
                if self._file(path):
                    return True
                self._includers.pop()
            else:
                self._after_others = True
        self._texts.append(text)
        return False

    def _affects_headers(self, macro: str) -> bool:
        is_relevant = re.match(RELEVANT_MACRO, macro) and macro not in WITHOUT_EFFECT
        return bool(is_relevant) and self._is_tested(macro)

    def _select(self, macro: str, kind: str, place: TextPlace) -> None:
        """Add a definition to the macros of the variant; raise if that has another meaning."""
        includers = self._includers
        seen = (*self._texts, *(each.before for each in includers))
        others = self._after_others
        option = None
        if kind == "define":
            option = definition_as_option(macro, place, includers, seen, after_others=others)
        if option is None:
            raise _AffectsHeader
        self.macros.append(option)


def _line_end(text: str, directive: re.Match[str], guard: str) -> TextPlace:
    end = text.find("\n", directive.end())
    return TextPlace(text, len(text) if end < 0 else end, guard)


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

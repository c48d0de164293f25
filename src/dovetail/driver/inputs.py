"""The inputs of a program: sources, and the objects, archives and libraries to link.

The unique prefix of a source (`-fsycl-unique-prefix=`) makes function names unique between sources.
It is derived from the source's path and content, not random, so that builds are reproducible.
"""

import re
from hashlib import sha256
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, NamedTuple

from dovetail.errors import UsageError
from dovetail.files import STREAM
from dovetail.frontend import PrecompiledHeader, Source

if TYPE_CHECKING:
    # Most programs have no objects, so the reader of objects is not loaded for them.
    from dovetail.image.device_section import DeviceSection

_BY_SUFFIX = {
    **dict.fromkeys((".cpp", ".cc", ".cxx", ".c++", ".C", ".CPP", ".cp", ".CXX", ".C++"), "c++"),
    ".ii": "c++-cpp-output",
    ".c": "c++",
    ".i": "c++-cpp-output",
    ".s": "assembler",
    **dict.fromkeys((".S", ".sx"), "assembler-with-cpp"),
    **dict.fromkeys((".ll", ".bc"), "ir"),
    **dict.fromkeys((".m", ".mm", ".M"), "objective-c++"),
    ".cu": "cuda",
    ".cl": "cl",
    **dict.fromkeys((".h", ".hpp", ".hh", ".hxx", ".H", ".hp", ".h++"), "c++-header"),
}

_SUFFIXES_OF_C = {".c": "c", ".i": "cpp-output", ".m": "objective-c"}

_BY_NAME = "none"
"""The value of `-x` that selects the language by file name again."""

_PREFIX = r"[A-Za-z0-9_]+"


def language_of(path: str, given: str = "") -> str:
    """Return the language of a source by `-x` (`given`) or, as clang does, by its file name.

    Empty for files that are passed to the linker.
    """
    if given and given != _BY_NAME:
        return given
    if path == STREAM:
        raise UsageError("unknown language of standard input", hint="add -x c++")
    return _BY_SUFFIX.get(PurePath(path).suffix, "")


def treated_as_cxx(path: str, given: str = "") -> tuple[str, str] | None:
    """Return the language that a file name implies and the one it is read in, if they differ.

    As in `clang++`, sources in C are C++, unless `-x` (`given`) says otherwise.
    """
    named = _SUFFIXES_OF_C.get(PurePath(path).suffix, "")
    language = language_of(path, given) if path != STREAM else ""
    return (named, language) if named and given in ("", _BY_NAME) else None


def unique_prefix(source: Source) -> str:
    """Return the unique prefix of a source: a digest of its absolute path and its content."""
    # Build systems compile files of the same name in different folders.
    path = str(Path(source.path).absolute()) if source.is_file else source.path
    content = f"{path}\0{source.text}".encode(errors="surrogateescape")
    return sha256(content).hexdigest()[:32]


def check_unique_prefix(prefix: str) -> None:
    """Raise `UsageError` unless the prefix can be part of a function's name."""
    if not re.fullmatch(_PREFIX, prefix):
        raise UsageError(
            f"invalid unique prefix '{prefix}': it becomes part of function names",
            hint="use only letters, digits and underscores",
        )


class LinkedObject(NamedTuple):
    """An object file, or a member of an archive, with a device code section."""

    path: str
    section: "DeviceSection"
    archive: str = ""
    """The archive that contains it, if any; then `path` is the member's name."""

    def __str__(self) -> str:
        return f"{self.archive}({self.path})" if self.archive else self.path


class LinkLine(NamedTuple):
    """The arguments of the host's linker, and the objects among them with device code."""

    words: tuple[Source | str, ...] = ()
    """The arguments in order; a source represents its object. Empty if there are only sources."""
    objects: tuple[LinkedObject, ...] = ()
    headers: tuple[PrecompiledHeader, ...] = ()
    """The headers that the objects were compiled with, whose bodies have to be linked."""
    warnings: tuple[str, ...] = ()
    """About options that objects request and that are ignored."""

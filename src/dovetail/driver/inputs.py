"""What a program is made of: sources, and objects, archives and libraries that are linked.

A source is known by its name and content: its language, and what makes its names unique.

A unique prefix, as `-fsycl-unique-prefix` has it, makes names of functions unique between sources.
It is derived from the source, never at random, so that building it again gives the same bytes.
"""

import re
from hashlib import sha256
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, NamedTuple

from dovetail.errors import UsageError
from dovetail.files import STREAM
from dovetail.frontend import PrecompiledHeader, Source

if TYPE_CHECKING:
    # Most programs are made of sources only, and need not pay for what reads objects.
    from dovetail.image.device_section import DeviceSection

_BY_SUFFIX = {
    **dict.fromkeys((".cpp", ".cc", ".cxx", ".c++", ".C", ".CPP", ".cp", ".CXX", ".C++"), "c++"),
    ".ii": "c++-cpp-output",
    ".c": "c",
    ".i": "cpp-output",
    ".s": "assembler",
    **dict.fromkeys((".S", ".sx"), "assembler-with-cpp"),
    **dict.fromkeys((".ll", ".bc"), "ir"),
    ".m": "objective-c",
    **dict.fromkeys((".mm", ".M"), "objective-c++"),
    ".cu": "cuda",
    ".cl": "cl",
    **dict.fromkeys((".h", ".hpp", ".hh", ".hxx", ".H", ".hp", ".h++"), "c++-header"),
}

_BY_NAME = "none"
"""What `-x` says to go back to names."""

_PREFIX = r"[A-Za-z0-9_]+"


def language_of(path: str, given: str = "") -> str:
    """The language of a source, as clang takes it from its name and `-x` names it.

    Empty for what is linked as it is.
    """
    if given and given != _BY_NAME:
        return given
    if path == STREAM:
        raise UsageError("the language of standard input is not known", hint="add -x c++")
    return _BY_SUFFIX.get(PurePath(path).suffix, "")


def unique_prefix(source: Source) -> str:
    """A prefix that no other source has, unless it is the same file with the same content."""
    # Build systems compile files of the same name in different folders.
    path = str(Path(source.path).absolute()) if source.is_file else source.path
    content = f"{path}\0{source.text}".encode(errors="surrogateescape")
    return sha256(content).hexdigest()[:32]


def check_unique_prefix(prefix: str) -> None:
    """It becomes a part of the names of functions."""
    if not re.fullmatch(_PREFIX, prefix):
        raise UsageError(
            f"'{prefix}' cannot be a part of the names of functions",
            hint="use letters, digits and underscores",
        )


class LinkedObject(NamedTuple):
    """An object file that carries something of ours, or a member of an archive."""

    path: str
    section: "DeviceSection"
    archive: str = ""
    """The archive that it is in, if any; then `path` is the member's name."""

    def __str__(self) -> str:
        return f"{self.archive}({self.path})" if self.archive else self.path


class LinkLine(NamedTuple):
    """What the host's linker gets, and what of it carries device code."""

    words: tuple[Source | str, ...] = ()
    """In order; sources stand for their objects. Empty if there are only sources."""
    objects: tuple[LinkedObject, ...] = ()
    headers: tuple[PrecompiledHeader, ...] = ()
    """Those that objects took, whose bodies have to be linked."""
    warnings: tuple[str, ...] = ()
    """What is not done that objects ask for."""

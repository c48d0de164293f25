"""Archives of object files as `ar` writes them: GNU's format, BSD's names, and thin archives.

A thin archive has only the names of its members, which are relative to the archive's folder.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from dovetail.image.window import Bytes, Span, Window, window_on

MAGIC = b"!<arch>\n"
THIN_MAGIC = b"!<thin>\n"

_HEADER_SIZE = 60
_NAME = slice(0, 16)
_SIZE = slice(48, 58)
_END = slice(58, 60)
_END_MARK = b"`\n"

# Symbol tables, which are not members, as the tools of three systems name them.
_SYMBOL_TABLES = ("/", "/SYM64/", "__.SYMDEF", "__.SYMDEF SORTED", "__.SYMDEF_64")
_LONG_NAMES = "//"
_BSD_NAME = re.compile(r"#1/(\d+)")
_LONG_NAME = re.compile(r"/(\d+)")
_NUMBER = re.compile(rb"\d+ *", re.ASCII)


@dataclass(frozen=True)
class Member:
    """One file of an archive."""

    name: str
    content: memoryview | None
    """A view into the archive; None in a thin one, whose member is the file of that name."""
    offset: int
    """The offset of the content in the archive."""


def is_archive(data: Bytes) -> bool:
    """Whether `data` begins with the magic number of an archive."""
    return bytes(memoryview(data)[: len(MAGIC)]) in (MAGIC, THIN_MAGIC)


def read_archive(data: Bytes) -> list[Member]:
    """The members in order, without symbol tables; `FormatError` for a damaged archive."""
    file = window_on("archive", data)
    if not is_archive(data):
        raise file.error(0, "the magic number of an archive is missing")
    return list(_Reader(file).members())


class _Reader:
    """Iterates over the members of one archive."""

    def __init__(self, file: Window) -> None:
        self._file = file
        self._is_thin = bytes(file.data[: len(MAGIC)]) == THIN_MAGIC
        self._long_names = b""
        self._characters_left = len(file)
        """Limits the total length of names, since many members can refer to the same long name."""

    def members(self) -> Iterator[Member]:
        offset = len(MAGIC)
        while offset < len(self._file):
            header = bytes(self._file.part(Span("a header", offset, _HEADER_SIZE, offset)))
            if header[_END] != _END_MARK:
                raise self._file.error(offset, "the header of a member lacks its end mark")
            name, size = self._text(header[_NAME], offset).rstrip(" "), self._size(header, offset)
            begin = offset + _HEADER_SIZE
            is_table = name in _SYMBOL_TABLES or name == _LONG_NAMES
            if self._is_thin and not is_table:
                yield Member(self._long_name(name, offset), None, begin)
                offset = begin
                continue
            content = self._file.part(Span("a member", begin, size, offset))
            # Headers begin at even offsets.
            offset = begin + size + size % 2
            if name == _LONG_NAMES:
                self._long_names = bytes(content)
            elif not is_table:
                member = self._member(name, content, begin)
                if member.name not in _SYMBOL_TABLES:
                    yield member

    def _member(self, name: str, content: memoryview, begin: int) -> Member:
        """Return a member with its name, which BSD archives have at the start of the content."""
        bsd = _BSD_NAME.fullmatch(name)
        if not bsd:
            return Member(self._long_name(name, begin), content, begin)
        length = int(bsd[1])
        if length > len(content):
            raise self._file.error(begin, f"a name of {length} bytes is longer than its member")
        written = self._text(bytes(content[:length]).rstrip(b"\0"), begin)
        return Member(written, content[length:], begin + length)

    def _long_name(self, name: str, offset: int) -> str:
        """Return the name itself, or the entry of the long-name table that it refers to."""
        number = _LONG_NAME.fullmatch(name)
        if not number:
            return name.removesuffix("/")
        begin = int(number[1])
        end = self._long_names.find(b"\n", begin)
        if end < 0:
            raise self._file.error(offset, f"there is no long name at {begin}")
        return self._text(self._long_names[begin:end], offset).removesuffix("/")

    def _text(self, name: bytes, offset: int) -> str:
        """Decode a name, and count its length towards the limit of all names."""
        self._characters_left -= len(name)
        if self._characters_left < 0:
            raise self._file.error(offset, "the names are longer than the archive")
        return name.decode(errors="surrogateescape")

    def _size(self, header: bytes, offset: int) -> int:
        if not _NUMBER.fullmatch(header[_SIZE]):
            raise self._file.error(offset, "the size of a member is not a decimal number")
        return int(header[_SIZE])

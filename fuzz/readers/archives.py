"""Archives of object files, in the formats of three systems."""

from __future__ import annotations

from random import Random

from dovetail.errors import DovetailError
from dovetail.image.archive import MAGIC, THIN_MAGIC, is_archive, read_archive
from dovetail.image.device_section import read_device_section
from dovetail.image.elf import is_elf
from fuzz.edits import edited_bytes, edited_items, edited_text
from fuzz.objects import archive, member
from fuzz.reader import Reader
from fuzz.readers.objects import edited_object, objects

Member = tuple[str, bytes, int]
"""The name in the header, the content, and the size in the header."""

_HEADER_SIZE = 60
_LONG = b"a_name_of_more_than_sixteen_characters.o/\nanother_one_that_is_long.o/\n"
_NAMES = ("/", "//", "/0", "/41", "/99", "#1/8", "#1/999", "/SYM64/", "__.SYMDEF", "a.o/", "")


def _seeds() -> list[bytes]:
    first, second, *_ = objects()
    plain = archive(member("a.o/", first), member("b.o/", second))
    long = archive(member("/", bytes(8)), member("//", _LONG), member("/0", first))
    bsd = archive(member("__.SYMDEF", bytes(8)), member("#1/8", b"name.o\0\0" + second))
    thin = THIN_MAGIC + member("//", _LONG) + member("/0", b"", 100) + member("a.o/", b"", 7)
    return [plain, long, bsd, thin]


def _read(data: bytes) -> None:
    for each in read_archive(data):
        if each.content is not None and is_elf(each.content):
            read_device_section(each.content)


def _edit(data: bytes, random: Random) -> bytes:
    magic = THIN_MAGIC if data.startswith(THIN_MAGIC) else MAGIC
    changed = edited_items(_members(data), random, _edited_member)
    if random.random() < 0.05:
        magic = random.choice((MAGIC, THIN_MAGIC))
    return magic + b"".join(member(*each) for each in changed)


def _edited_member(each: Member, random: Random) -> Member:
    name, content, _ = each
    match random.randrange(4):
        case 0:
            name = random.choice(_NAMES)
        case 1:
            name = edited_text(name, random).encode(errors="replace").decode(errors="replace")[:16]
        case 2:
            return name, content, random.choice((0, len(content) - 1, len(content) + 2, 9999999999))
        case _:
            content = _edited_content(content, random)
    return name, content, len(content)


def _edited_content(content: bytes, random: Random) -> bytes:
    if is_elf(content):
        try:
            return edited_object(content, random)
        except DovetailError:
            pass
    return edited_bytes(content, random)


def _members(data: bytes) -> list[Member]:
    """Return all members, including tables; wrong sizes are corrected."""
    found: list[Member] = []
    at = len(MAGIC)
    if not is_archive(data):
        return []
    while at + _HEADER_SIZE <= len(data):
        header = data[at : at + _HEADER_SIZE]
        text = header[48:58].strip()
        size = int(text) if text.isdigit() else 0
        begin = at + _HEADER_SIZE
        content = data[begin : begin + size]
        has_no_content = data.startswith(THIN_MAGIC) and not header.startswith(b"/")
        if has_no_content:
            content = b""
        name = header[:16].decode(errors="replace").rstrip()
        found.append((name, content, size))
        at = begin + len(content) + len(content) % 2
    return found


READER = Reader(
    "archives: GNU, BSD and thin ones, with the objects in them",
    _seeds,
    _read,
    _edit,
)

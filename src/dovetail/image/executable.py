"""Self-contained executables: their layout, and reading them.

The file is a zip after a line that names the interpreter, as Python's zipapp writes it, or after
two lines, of which a shell runs the second. It has exactly the members below, uncompressed, so the
size of the file bounds the cost of reading it. `package` writes it.
"""

from struct import Struct
from typing import NamedTuple
from zlib import crc32

from dovetail.image.window import Bytes, Span, Window, window_on

MAIN = "__main__.py"
"""The script that Python runs; it makes the runtime start the program."""
HOST_LIBRARY = "host.so"
PROGRAM = "program.syclbin"

INTERPRETER = b"#!"
"""The beginning of the first line, which names the interpreter."""

START = b"exec "
"""The beginning of the second line if the interpreter is a shell."""

HEAD_SIZE = 64 << 10
"""Bytes of a file that hold both lines, even with the longest path, and the zip's signature."""

_MEMBERS = (MAIN, HOST_LIBRARY, PROGRAM)

# End of a zip without a comment: signature; size and offset of the directory.
_END = Struct("<I8xII2x")
_END_SIGNATURE = 0x06054B50

# Signature; method; checksum, compressed size, size; sizes of name, extra and comment; offset of
# the member. Versions, flags, times and attributes do not matter for uncompressed members.
_ENTRY = Struct("<I6xH4xIIIHHH8xI")
_ENTRY_SIGNATURE = 0x02014B50
_STORED = 0

# Signature; sizes of name and extra. The rest is as in the directory.
_LOCAL = Struct("<I22xHH")
_LOCAL_SIGNATURE = 0x04034B50


class Executable(NamedTuple):
    """A whole program; its parts are views into the file."""

    program: Bytes
    """Device code, as a packaged program."""
    host_library: Bytes
    """Host code, as a shared object."""


def begins_as_executable(head: bytes) -> bool:
    """Whether `head` is the beginning of a zip, with or without start lines before it."""
    if head.startswith(INTERPRETER):
        head = head.partition(b"\n")[2]
        if head.startswith(START):
            head = head.partition(b"\n")[2]
    return head.startswith(_LOCAL_SIGNATURE.to_bytes(4, "little"))


def read_executable(data: Bytes) -> Executable:
    """Read the program in `data`; `FormatError` if it is another zip or damaged."""
    file = window_on("executable", data)
    directory, shift = _directory(file)
    members = _members(directory)
    for name in _MEMBERS:
        if name not in members:
            raise directory.error(0, f"the zip has no '{name}'")
    contents = {name: _content(file, member, shift) for name, member in members.items()}
    file.check_disjoint(contents.values())
    parts = {name: _checked(file, contents[name], members[name].checksum) for name in members}
    return Executable(parts[PROGRAM], parts[HOST_LIBRARY])


def _directory(file: Window) -> tuple[Window, int]:
    """Return the directory, and the size of what precedes the zip, which offsets do not count."""
    end = len(file) - _END.size
    signature, size, offset = (
        file.unpack(_END, end, "the end of the zip") if end >= 0 else (0, 0, 0)
    )
    if signature != _END_SIGNATURE:
        raise file.error(
            len(file), "the end record of the zip is missing; the file may be truncated"
        )
    begin = end - size
    if begin < 0:
        raise file.error(end, f"a directory of {size} bytes is larger than the file")
    content = file.part(Span("the directory", begin, size, end))
    return Window(file.format, content, begin), begin - offset


class _Member(NamedTuple):
    """A member's entry in the directory."""

    name: str
    checksum: int
    size: int
    offset: int
    claimed_at: int


def _members(directory: Window) -> dict[str, _Member]:
    members: dict[str, _Member] = {}
    entry = 0
    while entry < len(directory):
        signature, method, checksum, packed, size, *lengths, offset = directory.unpack(
            _ENTRY, entry, "an entry of the directory"
        )
        if signature != _ENTRY_SIGNATURE:
            raise directory.error(entry, "an entry of the directory has a wrong signature")
        written = directory.part(Span("a name", entry + _ENTRY.size, lengths[0], entry))
        name = bytes(written).decode(errors="backslashreplace")
        if name not in _MEMBERS or name in members:
            raise directory.error(entry, f"the zip has an unexpected or repeated member '{name}'")
        if method != _STORED or packed != size:
            raise directory.error(entry, f"'{name}' is compressed; programs hold it uncompressed")
        members[name] = _Member(name, checksum, size, offset, directory.start + entry)
        entry += _ENTRY.size + sum(lengths)
    return members


def _content(file: Window, member: _Member, shift: int) -> Span:
    """Return the span of a member's bytes."""
    begin = member.offset + shift
    if begin < 0:
        raise file.error(member.claimed_at, f"'{member.name}' begins before the file")
    what = f"the header of '{member.name}'"
    signature, *lengths = file.unpack(_LOCAL, begin, what)
    if signature != _LOCAL_SIGNATURE:
        raise file.error(begin, f"{what} has a wrong signature")
    offset = begin + _LOCAL.size + sum(lengths)
    content = Span(f"'{member.name}'", offset, member.size, member.claimed_at)
    file.check(content)
    return content


def _checked(file: Window, content: Span, checksum: int) -> memoryview:
    part = file.part(content)
    if crc32(part) != checksum:
        raise file.error(content.offset, f"{content.what} is damaged: its checksum does not match")
    return part

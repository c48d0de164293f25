"""A program that is started by itself: what its file holds, and reading it.

The file is a zip behind a line that names the interpreter, as Python's zipapp makes them, or behind
two, of which a shell runs the second. It has exactly the members below, stored as they are:
whatever the file claims, reading it costs no more than its size. `package` writes it.
"""

from struct import Struct
from typing import NamedTuple
from zlib import crc32

from dovetail.image.window import Bytes, Span, Window, window_on

MAIN = "__main__.py"
"""What Python runs; it has the runtime start the program."""
HOST_LIBRARY = "host.so"
PROGRAM = "program.syclbin"

INTERPRETER = b"#!"
"""How a first line that names the interpreter begins."""

START = b"exec "
"""How a second line begins, if the interpreter is a shell."""

HEAD = 64 << 10
"""How much of a file both lines fit into, however long a path is, and some of what follows."""

_MEMBERS = (MAIN, HOST_LIBRARY, PROGRAM)

# Signature; size and offset of the directory. This is how a zip without a comment ends.
_END = Struct("<I8xII2x")
_END_SIGNATURE = 0x06054B50

# Signature; method; checksum, packed size, size; sizes of name, extra and comment; where the member
# begins. Versions, flags, times and attributes say nothing that matters to stored members.
_ENTRY = Struct("<I6xH4xIIIHHH8xI")
_ENTRY_SIGNATURE = 0x02014B50
_STORED = 0

# Signature; sizes of name and extra. The rest is as in the directory.
_LOCAL = Struct("<I22xHH")
_LOCAL_SIGNATURE = 0x04034B50


class Executable(NamedTuple):
    """A whole program; its parts still lie in the file that they came from."""

    program: Bytes
    """Device code, as a packaged program."""
    host_library: Bytes
    """Host code, as a shared object."""


def begins_as_executable(head: bytes) -> bool:
    """Whether a file that begins like this is a zip, maybe behind the lines that start it."""
    if head.startswith(INTERPRETER):
        head = head.partition(b"\n")[2]
        if head.startswith(START):
            head = head.partition(b"\n")[2]
    return head.startswith(_LOCAL_SIGNATURE.to_bytes(4, "little"))


def read_executable(data: Bytes) -> Executable:
    """The program in a file's content; `FormatError` if it is another zip, or a damaged one."""
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
    """The directory, and how many bytes stand before the zip that do not count for its offsets."""
    end = len(file) - _END.size
    signature, size, offset = (
        file.unpack(_END, end, "the end of the zip") if end >= 0 else (0, 0, 0)
    )
    if signature != _END_SIGNATURE:
        raise file.error(len(file), "the zip does not end as one; a part of it may be missing")
    begin = end - size
    if begin < 0:
        raise file.error(end, f"a directory of {size} bytes is larger than the file")
    content = file.part(Span("the directory", begin, size, end))
    return Window(file.format, content, begin), begin - offset


class _Member(NamedTuple):
    """What the directory says of a member."""

    name: str
    checksum: int
    size: int
    offset: int
    claimed_at: int


def _members(directory: Window) -> dict[str, _Member]:
    members: dict[str, _Member] = {}
    at = 0
    while at < len(directory):
        signature, method, checksum, packed, size, *lengths, offset = directory.unpack(
            _ENTRY, at, "an entry of the directory"
        )
        if signature != _ENTRY_SIGNATURE:
            raise directory.error(at, "an entry of the directory does not begin as one")
        written = directory.part(Span("a name", at + _ENTRY.size, lengths[0], at))
        name = bytes(written).decode(errors="backslashreplace")
        if name not in _MEMBERS or name in members:
            raise directory.error(at, f"the zip has a member '{name}' too many")
        if method != _STORED or packed != size:
            raise directory.error(at, f"'{name}' is packed; programs hold it as it is")
        members[name] = _Member(name, checksum, size, offset, directory.start + at)
        at += _ENTRY.size + sum(lengths)
    return members


def _content(file: Window, member: _Member, shift: int) -> Span:
    """Where a member's bytes are."""
    begin = member.offset + shift
    if begin < 0:
        raise file.error(member.claimed_at, f"'{member.name}' begins before the file")
    what = f"the header of '{member.name}'"
    signature, *lengths = file.unpack(_LOCAL, begin, what)
    if signature != _LOCAL_SIGNATURE:
        raise file.error(begin, f"{what} does not begin as one")
    offset = begin + _LOCAL.size + sum(lengths)
    content = Span(f"'{member.name}'", offset, member.size, member.claimed_at)
    file.check(content)
    return content


def _checked(file: Window, content: Span, checksum: int) -> memoryview:
    part = file.part(content)
    if crc32(part) != checksum:
        raise file.error(content.offset, f"{content.what} is damaged: its checksum is wrong")
    return part

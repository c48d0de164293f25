"""Reading OffloadBinary files, both versions. `offload_binary` has the layouts."""

from typing import NamedTuple

from dovetail.image.offload_binary import ENTRY, HEADER, MAGIC, STRING_OF_VERSION, OffloadEntry
from dovetail.image.window import ALIGNMENT, Bytes, Span, Window, align, window_on

# Offsets of the header's fields, and of an entry's offsets, for messages.
_VERSION_AT, _SIZE_AT, _TABLE_AT, _EXTENT_AT = 4, 8, 16, 24
_STRINGS_AT, _IMAGE_AT = 8, 24

_ZEROS = bytes(ALIGNMENT)

# Bytes that are searched at a time for the end of a string.
_SEARCH_STEP = 256


def read_offload_binary(data: Bytes) -> tuple[OffloadEntry, ...]:
    """Read all entries of all binaries in `data`. Their images are views into `data`."""
    file = window_on("offload binary", data)
    entries: list[OffloadEntry] = []
    begin = 0
    while begin < len(file) or not entries:
        binary = _binary_at(file, begin)
        entries += _entries_of(binary)
        end = begin + len(binary)
        begin = align(end)
        file.check_zero(end, begin)
        # Linkers may align each binary to more.
        while bytes(file.data[begin : begin + ALIGNMENT]) == _ZEROS:
            begin += ALIGNMENT
    return tuple(entries)


def _binary_at(file: Window, begin: int) -> Window:
    """The binary that starts at `begin`, with the size in its header."""
    header = Span("the header", begin, HEADER.size, begin)
    magic, version, size, _, _ = HEADER.unpack(file.part(header))
    if magic != MAGIC:
        raise file.error(begin, "the magic number of an offload binary is missing")
    if version not in STRING_OF_VERSION:
        raise file.error(begin + _VERSION_AT, f"version {version} is not supported")
    if size < HEADER.size:
        raise file.error(begin + _SIZE_AT, f"the size, {size} bytes, is less than that of a header")
    content = file.part(Span("the binary", begin, size, begin + _SIZE_AT))
    return Window(file.format, content, file.start + begin)


class _Claims(NamedTuple):
    """A row of the table of entries, not yet validated."""

    image_kind: int
    offload_kind: int
    flags: int
    strings: Span
    image: Span


def _entries_of(binary: Window) -> list[OffloadEntry]:
    _, version, _, table_offset, extent = HEADER.unpack_from(binary.data)
    if version == 1 and extent != ENTRY.size:
        raise binary.error(_EXTENT_AT, f"expected an entry of {ENTRY.size} bytes, got {extent}")
    if not extent:
        raise binary.error(_EXTENT_AT, "there are no entries")
    count = 1 if version == 1 else extent
    table = Span("the table of entries", table_offset, count * ENTRY.size, _TABLE_AT)
    used = [Span("the header", 0, HEADER.size, 0), table]
    binary.check_disjoint(used)
    claims = [
        _claims(row, table.offset + number * ENTRY.size, version)
        for number, row in enumerate(binary.unpack_table(ENTRY, table))
    ]
    for claim in claims:
        used += (claim.strings, claim.image)
    for span in used:
        # Without strings, the offset of their table is meaningless.
        if span.size:
            binary.check(span)
    # Before any string is read: entries that share a table would each cost its whole size.
    binary.check_disjoint(used)
    strings = _StringReader(binary, version)
    return [_entry(binary, claim, strings) for claim in claims]


def _claims(row: tuple[int, ...], offset: int, version: int) -> _Claims:
    image_kind, offload_kind, flags, strings_offset, string_count, image_offset, image_size = row
    strings_size = string_count * STRING_OF_VERSION[version].size
    return _Claims(
        image_kind,
        offload_kind,
        flags,
        Span("a table of strings", strings_offset, strings_size, offset + _STRINGS_AT),
        Span("an image", image_offset, image_size, offset + _IMAGE_AT),
    )


def _entry(binary: Window, claims: _Claims, strings: "_StringReader") -> OffloadEntry:
    return OffloadEntry(
        claims.image_kind,
        claims.offload_kind,
        claims.flags,
        strings.read(claims.strings) if claims.strings.size else {},
        binary.part(claims.image),
        binary.start + claims.image.offset,
    )


class _StringReader:
    """Reads the strings of one binary's entries.

    Strings may be used more than once, and may share bytes, as when one is the tail of another. The
    total length of different strings is limited to the size of the binary, or a small file could
    expand to a huge number of characters.
    """

    def __init__(self, binary: Window, version: int) -> None:
        self._binary = binary
        self._layout = STRING_OF_VERSION[version]
        self._characters_left = len(binary)
        self._known: dict[tuple[int, int | None], str] = {}

    def read(self, table: Span) -> dict[str, str]:
        strings: dict[str, str] = {}
        rows = self._binary.unpack_table(self._layout, table)
        for number, (key_offset, value_offset, *value_size) in enumerate(rows):
            place = table.offset + number * self._layout.size
            key = self._text("a key", key_offset, None, place)
            if key in strings:
                raise self._binary.error(place, f"string '{key}' appears twice")
            size = value_size[0] if value_size else None
            strings[key] = self._text("a string", value_offset, size, place + 8)
        return strings

    def _text(self, what: str, offset: int, size: int | None, claimed_at: int) -> str:
        """The string at `offset`, up to the next zero if its size is not stored."""
        if (offset, size) not in self._known:
            if size is None:
                span = self._terminated(what, offset, claimed_at)
            else:
                span = Span(what, offset, size, claimed_at)
            self._known[offset, size] = self._decoded(span)
        return self._known[offset, size]

    def _decoded(self, span: Span) -> str:
        """Return a string, and count its size towards the limit of all strings."""
        content = self._binary.part(span)
        if span.size > self._characters_left:
            raise self._binary.error(span.claimed_at, "the strings are longer than the binary")
        self._characters_left -= span.size
        try:
            return str(content, "utf-8")
        except UnicodeDecodeError:
            raise self._binary.error(span.claimed_at, f"{span.what} is not UTF-8") from None

    def _terminated(self, what: str, offset: int, claimed_at: int) -> Span:
        limit = min(len(self._binary), offset + self._characters_left + 1)
        for begin in range(offset, limit, _SEARCH_STEP):
            step = bytes(self._binary.data[begin : min(begin + _SEARCH_STEP, limit)])
            found = step.find(b"\0")
            if found >= 0:
                return Span(what, offset, begin + found - offset, claimed_at)
        raise self._binary.error(claimed_at, f"{what} has no terminating zero in the binary")

"""Writing OffloadBinary files, either version. `offload_binary` has the layouts."""

import struct
from collections.abc import Iterable

from dovetail.errors import FormatError
from dovetail.image.offload_binary import ENTRY, HEADER, MAGIC, STRING_OF_VERSION, OffloadEntry
from dovetail.image.window import Bytes, align, flat, padding


def write_offload_binary(
    entries: OffloadEntry | Iterable[OffloadEntry], *, version: int = 2
) -> bytes:
    """Return a binary with these entries; in version 1, one binary for each entry, concatenated."""
    batch = [entries] if isinstance(entries, OffloadEntry) else list(entries)
    if not batch:
        raise FormatError("an offload binary needs at least one entry")
    if version not in STRING_OF_VERSION:
        raise FormatError(f"expected version 1 or 2 of offload binaries, got {version}")
    if version == 1:
        return b"".join(_binary([entry], version) for entry in batch)
    return _binary(batch, version)


def _binary(entries: list[OffloadEntry], version: int) -> bytes:
    """Lay out header, entries, tables of strings, the strings' characters, images."""
    strings_offset = HEADER.size + len(entries) * ENTRY.size
    strings = _StringTable(strings_offset, version, sum(len(e.strings) for e in entries))
    rows: list[bytes] = []
    images: list[Bytes] = []
    places = [strings.add(entry.strings) for entry in entries]
    image_offset = align(strings.end)
    for entry, place in zip(entries, places, strict=True):
        image = flat(entry.image)
        rows.append(_entry_row(entry, place, image_offset, len(image)))
        images += (image, padding(len(image)))
        image_offset += align(len(image))
    extent = ENTRY.size if version == 1 else len(entries)
    header = HEADER.pack(MAGIC, version, image_offset, HEADER.size, extent)
    return b"".join((header, *rows, strings.content(), padding(strings.end), *images))


def _entry_row(entry: OffloadEntry, strings_offset: int, image_offset: int, size: int) -> bytes:
    kinds = (entry.image_kind, entry.offload_kind, entry.flags)
    strings = (strings_offset, len(entry.strings))
    try:
        return ENTRY.pack(*kinds, *strings, image_offset, size)
    except struct.error:
        raise FormatError(f"kinds and flags {kinds} do not fit into 16, 16 and 32 bits") from None


class _StringTable:
    """The rows of all strings, then their characters, each text once and zero-terminated."""

    def __init__(self, offset: int, version: int, count: int) -> None:
        self._layout = STRING_OF_VERSION[version]
        self._rows: list[bytes] = []
        self._rows_offset = offset
        self._places: dict[bytes, int] = {}
        self.end = offset + count * self._layout.size
        """The end offset of the characters."""

    def add(self, strings: dict[str, str]) -> int:
        """Add an entry's strings; return the offset of their rows, or 0 if there are none."""
        offset = self._rows_offset + len(self._rows) * self._layout.size
        self._rows += [self._row(key, value) for key, value in strings.items()]
        return offset if strings else 0

    def content(self) -> bytes:
        """Rows and characters."""
        return b"".join(self._rows) + b"".join(text + b"\0" for text in self._places)

    def _row(self, key: str, value: str) -> bytes:
        sized = self._layout is not STRING_OF_VERSION[1]
        if "\0" in key or ("\0" in value and not sized):
            raise FormatError(f"string {key!r} of an offload binary contains a zero")
        try:
            raw_key, raw_value = key.encode(), value.encode()
        except UnicodeEncodeError:
            raise FormatError(f"string {key!r} of an offload binary is not valid Unicode") from None
        fields = [self._place(raw_key), self._place(raw_value)]
        return self._layout.pack(*fields, *([len(raw_value)] if sized else []))

    def _place(self, text: bytes) -> int:
        """Return the offset of a string; add the string if it is new."""
        if text not in self._places:
            self._places[text] = self.end
            self.end += len(text) + 1
        return self._places[text]

"""Property sets: named sets of keys and values, in DPC++'s text format.

A line `[set name]` opens a set; a line `key=tag|value` in it is a property. Tag 1 is a decimal
uint32, tag 2 a byte array. `docs/formats.md` has the grammar.
"""

import re
from binascii import a2b_base64, b2a_base64

from dovetail.errors import FormatError

PropertySets = dict[str, dict[str, int | bytes]]
"""Set name -> key -> uint32 or bytes."""

_UINT32_TAG = b"1"
_BYTES_TAG = b"2"

_UINT32 = re.compile(rb"0|[1-9][0-9]{0,9}")
_UINT32_MAX = 0xFFFF_FFFF

# A control character in a name indicates damage, and a line break would end the line.
_SET_NAME = re.compile(r"[^\x00-\x1f\x7f]+")
# A bracket at the start of a line opens a set, and the first equals sign ends the key.
_KEY = re.compile(r"[^\x00-\x1f\x7f=\[][^\x00-\x1f\x7f=]*")

# A byte array starts with its length in bits, as a little-endian integer of this many bytes.
_LENGTH_SIZE = 8

_BASE64 = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def parse_property_sets(text: bytes) -> PropertySets:
    """Parse property sets; `FormatError` names the line that is wrong."""
    sets: PropertySets = {}
    current: dict[str, int | bytes] | None = None
    for number, line in enumerate(text.split(b"\n"), start=1):
        if not line:
            continue
        try:
            if line.startswith(b"["):
                current = _open_set(sets, line)
            elif current is None:
                raise ValueError("a property before the first set")
            else:
                _add_property(current, line)
        except ValueError as error:
            raise FormatError(f"property sets, line {number}: {error}") from None
    return sets


def format_property_sets(sets: PropertySets) -> bytes:
    """Serialize `sets` in their order, without those that have no properties."""
    lines: list[bytes] = []
    for set_name, properties in sets.items():
        if not properties:
            continue
        if not _SET_NAME.fullmatch(set_name):
            raise FormatError(f"{set_name!r} cannot be the name of a property set")
        try:
            lines.append(b"[" + set_name.encode() + b"]\n")
            lines.extend(_property_line(key, value) for key, value in properties.items())
        except ValueError as error:
            raise FormatError(f"property set '{set_name}': {error}") from None
    return b"".join(lines)


def _open_set(sets: PropertySets, line: bytes) -> dict[str, int | bytes]:
    """Add an empty set with the name in a line, and return it."""
    name = line[1:-1].decode()
    if not line.endswith(b"]") or not _SET_NAME.fullmatch(name):
        raise ValueError("expected the name of a set in brackets")
    if name in sets:
        raise ValueError(f"set '{name}' appears twice")
    return sets.setdefault(name, {})


def _add_property(properties: dict[str, int | bytes], line: bytes) -> None:
    """Add the property in a line to a set; raise `ValueError` if it is invalid."""
    raw_key, _, tagged_value = line.partition(b"=")
    tag, separator, value = tagged_value.partition(b"|")
    if not separator:
        raise ValueError("expected [set name] or key=tag|value")
    key = raw_key.decode()
    if not _KEY.fullmatch(key):
        raise ValueError(f"{key!r} cannot be a key")
    if key in properties:
        raise ValueError(f"key '{key}' appears twice")
    properties[key] = _parse_value(tag, value)


def _parse_value(tag: bytes, value: bytes) -> int | bytes:
    if tag == _UINT32_TAG:
        return _parse_uint32(value)
    if tag == _BYTES_TAG:
        return _parse_bytes(value)
    raise ValueError(f"unknown tag {tag.decode(errors='replace')!r}")


def _parse_uint32(text: bytes) -> int:
    # The pattern limits the digits, which bounds the cost of the conversion.
    if not _UINT32.fullmatch(text) or int(text) > _UINT32_MAX:
        raise ValueError("expected a 32-bit decimal number")
    return int(text)


def _parse_bytes(text: bytes) -> bytes:
    data = _decode_base64(text)
    content = data[_LENGTH_SIZE:]
    bits = int.from_bytes(data[:_LENGTH_SIZE], "little")
    if len(data) < _LENGTH_SIZE or bits != len(content) * 8:
        raise ValueError(f"a byte array claims {bits} bits and has {len(content) * 8}")
    return content


def _property_line(key: str, value: int | bytes) -> bytes:
    if not _KEY.fullmatch(key):
        raise ValueError(f"{key!r} cannot be a key")
    if isinstance(value, bytes):
        length = (len(value) * 8).to_bytes(_LENGTH_SIZE, "little")
        tagged = _BYTES_TAG + b"|" + _encode_base64(length + value)
    elif 0 <= value <= _UINT32_MAX:
        tagged = _UINT32_TAG + b"|%d" % value
    else:
        raise ValueError(f"value {value} of key '{key}' does not fit into 32 bits")
    return key.encode() + b"=" + tagged + b"\n"


def _encode_base64(data: bytes) -> bytes:
    """Encode as base64 with the least significant bits first, without padding.

    Standard base64 starts with the most significant bit of the first byte. On reversed bytes, with
    the result reversed, it gives this encoding, so the fast standard library can be used.
    """
    # Whole groups of three bytes, so that the standard encoder adds no padding at the wrong end.
    groups = data + bytes(-len(data) % 3)
    text = b2a_base64(groups[::-1], newline=False)[::-1]
    return text[: (len(data) * 8 + 5) // 6]


def _decode_base64(text: bytes) -> bytes:
    """Decode the output of `_encode_base64`; raise `ValueError` for any other text."""
    invalid = text.translate(None, _BASE64)
    if invalid:
        raise ValueError(f"{chr(invalid[0])!r} is not a base64 character")
    if len(text) % 4 == 1:
        raise ValueError(f"{len(text)} base64 characters do not encode whole bytes")
    groups = text + b"A" * (-len(text) % 4)
    data = a2b_base64(groups[::-1])[::-1]
    size = len(text) * 6 // 8
    if any(data[size:]):
        raise ValueError("bits after the last byte are not zero")
    return data[:size]

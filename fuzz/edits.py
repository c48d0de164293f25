"""Edits for all formats: of numbers, bytes, texts, sequences and JSON."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, TypeVar, cast

Item = TypeVar("Item")

_FORMATS = {1: "<B", 2: "<H", 4: "<I", 8: "<Q"}
_STRANGE_TEXTS = ("", "\0", "\n", "=", "|", "[", "]", "é", "\U0001f600", "\ud800", "a" * 300)
_JSON_LEAVES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 3, 0.5, 1e308, 1 << 31, 1 << 32, 1 << 64, -(1 << 63)),
    *("", "a", "\ud800", [], [[]], {}, {"": 0}),
)


def edited_number(value: int, random: Random, size: int = 8, near: int = 0) -> int:
    """Return another number of `size` bytes: a neighbor, a limit, or one close to `near`."""
    bits = size * 8
    candidates = (
        value + random.choice((-8, -4, -1, 1, 4, 8)),
        value ^ 1 << random.randrange(bits),
        near + random.choice((-8, -1, 0, 1, 8)),
        random.choice((0, 1, 2, 3, 0x7F, 0xFF, 0xFFFF, 1 << 31, (1 << 32) - 1, 1 << 63)),
        (1 << bits) - random.randint(1, 16),
        random.getrandbits(bits),
    )
    return random.choice(candidates) & ((1 << bits) - 1)


def edited_field(data: bytes, offset: int, size: int, random: Random) -> bytes:
    """Return `data` with another number in the field of `size` bytes at `offset`."""
    if offset + size > len(data):
        return data
    layout = _FORMATS[size]
    (value,) = struct.unpack_from(layout, data, offset)
    changed = bytearray(data)
    struct.pack_into(layout, changed, offset, edited_number(value, random, size, len(data)))
    return bytes(changed)


def edited_bytes(data: bytes, random: Random) -> bytes:
    """Return `data` with a byte changed, or a part removed, repeated, zeroed or replaced."""
    if not data:
        return random.randbytes(random.randint(1, 16))
    at = random.randrange(len(data))
    end = min(len(data), at + random.choice((1, 2, 4, 8, 16, 64)))
    match random.randrange(6):
        case 0:
            return data[:at] + bytes((data[at] ^ 1 << random.randrange(8),)) + data[at + 1 :]
        case 1:
            return data[:at] + data[end:]
        case 2:
            return data[:end] + data[at:end] + data[end:]
        case 3:
            return data[:at] + bytes(end - at) + data[end:]
        case 4:
            return data[:at] + random.randbytes(end - at) + data[end:]
        case _:
            return data[:at]


def edited_array(data: bytes, random: Random) -> bytes:
    """Return `data` with one of its 32-bit numbers changed."""
    if len(data) < 4:
        return edited_bytes(data, random)
    offset = random.randrange(len(data) // 4) * 4
    return edited_field(data, offset, 4, random)


def edited_text(text: str, random: Random) -> str:
    """Return `text` with something inserted, removed or repeated."""
    at = random.randrange(len(text) + 1)
    end = min(len(text), at + random.randint(1, 8))
    match random.randrange(4):
        case 0:
            return text[:at] + random.choice(_STRANGE_TEXTS) + text[at:]
        case 1:
            return text[:at] + text[end:]
        case 2:
            return text[:end] + text[at:]
        case _:
            return random.choice(_STRANGE_TEXTS)


def edited_items(
    items: Sequence[Item], random: Random, edit: Callable[[Item, Random], Item]
) -> list[Item]:
    """Return the items with one removed, repeated, moved or edited."""
    changed = list(items)
    if not changed:
        return changed
    at, other = random.randrange(len(changed)), random.randrange(len(changed))
    match random.randrange(8):
        case 0:
            del changed[at]
        case 1:
            changed.insert(other, changed[at])
        case 2:
            changed[at], changed[other] = changed[other], changed[at]
        case _:
            changed[at] = edit(changed[at], random)
    return changed


def edited_json(value: Any, random: Random) -> Any:
    """Return a JSON value with one part replaced, by a value of the same or any type."""
    if random.random() < 0.1:
        return random.choice(_JSON_LEAVES)
    if isinstance(value, dict):
        return _edited_object(cast("dict[str, Any]", value), random)
    if isinstance(value, list):
        return edited_items(cast("list[Any]", value), random, edited_json)
    if isinstance(value, str):
        return edited_text(value, random)
    if isinstance(value, int):
        return edited_number(value, random, 4)
    return random.choice(_JSON_LEAVES)


def _edited_object(members: dict[str, Any], random: Random) -> Any:
    if not members:
        return {"a": random.choice(_JSON_LEAVES)}
    key = random.choice(list(members))
    match random.randrange(8):
        case 0:
            return {k: v for k, v in members.items() if k != key}
        case 1:
            return {edited_text(k, random) if k == key else k: v for k, v in members.items()}
        case _:
            return {**members, key: edited_json(members[key], random)}

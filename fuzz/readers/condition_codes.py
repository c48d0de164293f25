"""Conditions on devices, as encoded in programs and modules."""

from __future__ import annotations

from array import array
from random import Random

from dovetail.conditions import (
    condition_from_bytes,
    condition_to_bytes,
    holds,
    in_words,
    normalize,
    read_condition,
    resolve,
)
from dovetail.targets import default_table
from fuzz.edits import edited_bytes, edited_items
from fuzz.reader import Reader


def _seeds() -> list[bytes]:
    conditions = (
        (-1, 6),
        (-2, 20),
        (-3, -1, 6),
        (-4, -1, 6, -5, -3, -2, 20, -1, 5),
        (*(-5, -2, 20) * 5, -2, 21),
        (*(-3,) * 100, -1, 6),
    )
    return [condition_to_bytes(read_condition(each)) for each in conditions]


def _read(data: bytes) -> None:
    condition = condition_from_bytes(data)
    assert condition_to_bytes(condition) == data
    in_words(condition)
    holds(condition, lambda aspect: bool(aspect % 2), 20)
    resolve(condition, default_table()["intel_gpu_pvc"], default_table())
    normalize(condition)


def _edit(data: bytes, random: Random) -> bytes:
    codes = array("i", data[: len(data) // 4 * 4]).tolist()
    match random.randrange(6):
        case 0:
            return edited_bytes(data, random)
        case 1:  # both operands are conditions, so the result is one
            changed = [random.choice((-4, -5)), *codes, -1, random.randrange(100)]
        case 2:
            changed = [random.choice((-4, -5)), *codes, *codes]
        case 3:
            changed = [-3, *codes]
        case _:
            changed = edited_items(codes, random, _edited_code)
    return array("i", changed).tobytes()


def _edited_code(code: int, random: Random) -> int:
    """Return another code of the same kind, mostly."""
    if code >= 0:
        return random.choice((*range(100), 1 << 30))
    kind = (-4, -5) if code in (-4, -5) else (-1, -2) if code in (-1, -2) else (-3, -4, -2)
    return random.choice(kind)


READER = Reader("conditions on devices", _seeds, _read, _edit, max_size=8 << 10)

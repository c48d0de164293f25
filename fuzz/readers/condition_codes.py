"""Conditions on devices, as programs and modules hold them."""

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

_CODES = (-5, -4, -3, -2, -1, 0, 1, 5, 6, 20, 79, 1 << 30)


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
    if random.random() < 0.3:
        # Both halves of an operator are conditions again.
        return array("i", [random.choice((-4, -5)), *codes, *codes]).tobytes()
    if random.random() < 0.1:
        return edited_bytes(data, random)
    return array("i", edited_items(codes, random, _edited_code)).tobytes()


def _edited_code(code: int, random: Random) -> int:
    return random.choice(_CODES)


READER = Reader("conditions on devices", _seeds, _read, _edit, max_size=2 << 10)

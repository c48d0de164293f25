"""Reads, edits, indexes and specializes a SPIR-V module, and checks the results."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from zlib import crc32

from dovetail.errors import FormatError
from dovetail.spirv import Edit, SpirvModule, index_ids
from dovetail.spirv.opcodes import CAPABILITY, DECORATE, FUNCTION
from dovetail.spirv.specialise import specialised
from fuzz.modules import FAST, FP16, FP64

_DEVICES: tuple[dict[int, bool], ...] = (
    {FP64: False, FP16: False, FAST: False},
    {FP64: True, FP16: True, FAST: True},
    {FP64: True, FP16: False, FAST: False},
)


class Outcome(Enum):
    """The first step that rejected a module, or acceptance."""

    NOT_READ = "not a module"
    NOT_INDEXED = "invalid ids"
    NOT_SPECIALISED = "cannot be specialized"
    ACCEPTED = "accepted"


def check_module(data: bytes) -> Outcome:
    """Apply all operations to a module; the only exception that they may raise is `FormatError`."""
    try:
        module = SpirvModule.read(data)
    except FormatError:
        return Outcome.NOT_READ
    assert module.to_bytes() == data
    _edit(module)
    variant = _specialised(module, _DEVICES[crc32(data) % len(_DEVICES)])
    try:
        index = index_ids(module)
    except FormatError:
        return Outcome.NOT_INDEXED
    assert len(index.ends) == len(index.results) == len(module.starts)
    if variant is None:
        return Outcome.NOT_SPECIALISED
    # Remaining instructions must not use removed ids.
    index_ids(variant)
    return Outcome.ACCEPTED


def _specialised(module: SpirvModule, values: Mapping[int, bool]) -> SpirvModule | None:
    """Return the specialized module, or None if it cannot be specialized."""
    try:
        return specialised(module, values)
    except FormatError:
        return None


def _edit(module: SpirvModule) -> None:
    """Check that adding and removing instructions results in a readable module."""
    edit = Edit(module)
    try:
        new = edit.new_id()
    except FormatError:
        return
    edit.add(DECORATE, new, 44, 16)
    edit.add(CAPABILITY, 6)
    for opcode, at, _ in module.instructions():
        if opcode == FUNCTION:
            edit.remove(at)
    SpirvModule.read(edit.apply().to_bytes())

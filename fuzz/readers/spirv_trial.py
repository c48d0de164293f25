"""What is done with each module."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from zlib import crc32

from dovetail.errors import FormatError
from dovetail.spirv import Edit, Module, index_ids
from dovetail.spirv.opcodes import CAPABILITY, DECORATE, FUNCTION
from dovetail.spirv.specialise import specialised
from fuzz.modules import FAST, FP16, FP64

_DEVICES: tuple[dict[int, bool], ...] = (
    {FP64: False, FP16: False, FAST: False},
    {FP64: True, FP16: True, FAST: True},
    {FP64: True, FP16: False, FAST: False},
)


class Outcome(Enum):
    """How far a module came."""

    NOT_READ = "that are no modules"
    NOT_INDEXED = "whose ids are wrong"
    NOT_SPECIALISED = "that cannot be specialised"
    TAKEN = "taken"


def try_module(data: bytes) -> Outcome:
    """Do everything with a module; what is wrong with it may be told by `FormatError` alone."""
    try:
        module = Module.read(data)
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
    # Nothing that is left uses what is gone.
    index_ids(variant)
    return Outcome.TAKEN


def _specialised(module: Module, values: Mapping[int, bool]) -> Module | None:
    """The module for a device, if there can be one."""
    try:
        return specialised(module, values)
    except FormatError:
        return None


def _edit(module: Module) -> None:
    """Adding and removing must leave a module that can be read."""
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
    Module.read(edit.done().to_bytes())

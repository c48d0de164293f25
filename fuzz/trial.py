"""What is done with each module."""

from __future__ import annotations

from enum import Enum

from dovetail.errors import FormatError
from dovetail.spirv import Edit, Module, index_ids
from dovetail.spirv.opcodes import CAPABILITY, DECORATE, FUNCTION


class Outcome(Enum):
    """How far a module came."""

    NOT_READ = "that are no modules"
    NOT_INDEXED = "whose ids are wrong"
    TAKEN = "taken"


def try_module(data: bytes) -> Outcome:
    """Do everything with a module; what is wrong with it may be told by `FormatError` alone."""
    try:
        module = Module.read(data)
    except FormatError:
        return Outcome.NOT_READ
    assert module.to_bytes() == data
    _edit(module)
    try:
        index = index_ids(module)
    except FormatError:
        return Outcome.NOT_INDEXED
    assert len(index.ends) == len(index.results) == len(module.starts)
    return Outcome.TAKEN


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

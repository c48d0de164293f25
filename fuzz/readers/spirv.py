"""SPIR-V modules: read, indexed, edited, specialized and written."""

from __future__ import annotations

from random import Random

from dovetail.errors import FormatError
from fuzz.modules import conditional, kernel, written
from fuzz.reader import Reader
from fuzz.readers.spirv_check import Outcome, check_module
from fuzz.readers.spirv_mutation import mutated

_HEADER_SIZE = 20
_WORD_SIZE = 4


def _seeds() -> list[bytes]:
    return [kernel(), conditional(), written()]


def _read(data: bytes) -> None:
    if check_module(data) is Outcome.NOT_READ:
        raise FormatError("not a module")


def _edit(data: bytes, random: Random) -> bytes:
    if not _has_instructions(data):
        raise FormatError("no instructions")
    return mutated(data, random)


def _has_instructions(data: bytes) -> bool:
    """Return whether the lengths of instructions are consistent up to the end."""
    at = _HEADER_SIZE
    while at < len(data) and len(data) % _WORD_SIZE == 0:
        words = int.from_bytes(data[at + 2 : at + 4], "little")
        if not words:
            return False
        at += words * _WORD_SIZE
    return at == len(data)


READER = Reader("SPIR-V modules", _seeds, _read, _edit)

"""Which compile-time property becomes which decoration or execution mode of SPIR-V.

There is no rule that would do for all: each property that means something to a driver has a row in
the table. A property that is not there means nothing in SPIR-V; those that say what a kernel
requires are metadata by then (`kernel_attributes.py`), from which LLVM writes the execution modes.
"""

import re
from collections.abc import Callable
from enum import Flag, auto
from typing import NamedTuple

from dovetail.errors import FormatError
from dovetail.spirv.grammar import following
from dovetail.spirv_metadata import Decoration, operands_of

Operands = tuple[int | str, ...]


class Carrier(Flag):
    """What a property is given to."""

    KERNEL = auto()
    PARAMETER = auto()
    VARIABLE = auto()
    MEMBER = auto()


class Representation(NamedTuple):
    """A row of the table."""

    number: int
    """Of the decoration or, for kernels, of the execution mode."""
    places: Carrier
    operands: Callable[[str, str], Operands | None]
    """From the value and the symbol that has it; None if it says that there is nothing."""

    def of(self, value: str, symbol: str) -> Decoration | None:
        """What a property with this value becomes; raises `FormatError`."""
        operands = self.operands(value, symbol)
        return None if operands is None else Decoration(self.number, operands)


def representation(name: str, place: Carrier) -> Representation | None:
    """What a property becomes at a place; None if it means nothing there."""
    row = _row(name)
    return row if row and place in row.places else None


def is_represented(name: str) -> bool:
    """Whether a property means something in SPIR-V, wherever it is."""
    return _row(name) is not None


def _row(name: str) -> Representation | None:
    return TABLE.get(name) or _of_a_user(name)


def _of_a_user(name: str) -> Representation | None:
    """A property may name the decoration or the execution mode by its number."""
    match = _NUMBERED.fullmatch(name)
    if not match or int(match[2]) >= 1 << 32:
        return None
    number = int(match[2])
    if match[1] == "execution-mode":
        return Representation(number, Carrier.KERNEL, _fitting(following("E", number)))
    return Representation(number, _DECORATED, _fitting(following("D", number)))


def _fitting(spelled: str | None) -> Callable[[str, str], Operands]:
    """A function that gives the operands if they are those of the grammar, as far as it knows."""

    def operands(value: str, symbol: str) -> Operands:
        if spelled == "s":
            return (value,)
        found = operands_of(value)
        if spelled is not None and not _fits(found, spelled):
            raise FormatError(f"'{value}' is not what SPIR-V wants here: {_description(spelled)}")
        return found

    return operands


def _fits(operands: Operands, spelled: str) -> bool:
    kinds = "".join("l" if isinstance(operand, int) else "s" for operand in operands)
    # Some take any number of them.
    return re.fullmatch(spelled, kinds) is not None


def _description(spelled: str) -> str:
    if "i" in spelled:
        return "ids of a module, which no property has"
    return ", ".join(_KINDS[letter] for letter in spelled if letter in _KINDS) or "nothing"


def _integer(value: str, symbol: str) -> Operands:
    operands = operands_of(value)
    match operands:
        case (int(),):
            return operands
        case _:
            raise FormatError(f"'{value}' is no integer of 32 bits")


def _no_alias(value: str, symbol: str) -> Operands | None:
    return (_NO_ALIAS,) if _truth(value) else None


def _as_number(value: str, symbol: str) -> Operands:
    return (int(_truth(value)),)


def _truth(value: str) -> bool:
    if value not in _TRUTHS:
        raise FormatError(f"'{value}' is neither true nor false")
    return _TRUTHS[value]


def _host_access(value: str, symbol: str) -> Operands:
    """The host finds the variable by its name."""
    if value not in _HOST_ACCESS:
        raise FormatError(f"'{value}' is no access of the host's")
    return _HOST_ACCESS[value], symbol


_KINDS = {"l": "an integer", "s": "a text", "*": "any number of them"}
_NUMBERED = re.compile(r"sycl-(decoration|execution-mode)-([0-9]{1,10})")
_TRUTHS = {"": True, "true": True, "1": True, "false": False, "0": False}
_HOST_ACCESS = {
    **{"0": 1, "1": 2, "2": 3, "3": 0},
    **{"read": 1, "write": 2, "read_write": 3, "none": 0},
}
"""SYCL's numbers and names, and SPIR-V's numbers."""

_DECORATED = Carrier.PARAMETER | Carrier.VARIABLE | Carrier.MEMBER
_NO_ALIAS = 4
"""The attribute that a parameter is decorated with."""

TABLE = {
    "sycl-no-alias": Representation(38, Carrier.PARAMETER, _no_alias),
    # Of a member, it is the pointer in it that is aligned; a decoration would be of its own place.
    "sycl-alignment": Representation(44, Carrier.PARAMETER | Carrier.VARIABLE, _integer),
    "sycl-buffer-location": Representation(5921, Carrier.PARAMETER | Carrier.MEMBER, _integer),
    "sycl-host-access": Representation(6188, Carrier.VARIABLE, _host_access),
    "sycl-init-mode": Representation(6190, Carrier.VARIABLE, _integer),
    "sycl-implement-in-csr": Representation(6191, Carrier.VARIABLE, _as_number),
}

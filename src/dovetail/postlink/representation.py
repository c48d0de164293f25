"""The table of compile-time properties and the decorations or execution modes of SPIR-V for them.

Properties that are not in the table have no representation in SPIR-V. Required sizes of kernels are
not in it: they are metadata (`kernel_attributes.py`), for which LLVM writes execution modes.
"""

import re
from collections.abc import Callable
from enum import Flag, auto
from typing import NamedTuple

from dovetail.errors import FormatError
from dovetail.spirv.grammar import value_parameters
from dovetail.spirv_metadata import Decoration, parse_operands

Operands = tuple[int | str, ...]


class PropertyCarrier(Flag):
    """The kind of entity that has a property."""

    KERNEL = auto()
    PARAMETER = auto()
    VARIABLE = auto()
    MEMBER = auto()


class Representation(NamedTuple):
    """A row of the table."""

    number: int
    """The number of the decoration or, for kernels, of the execution mode."""
    places: PropertyCarrier
    operands: Callable[[str, str], Operands | None]
    """Returns the operands for a value and a symbol, or None for no decoration."""

    def of(self, value: str, symbol: str) -> Decoration | None:
        """Return the decoration for a value; raise `FormatError` if the value is invalid."""
        operands = self.operands(value, symbol)
        return None if operands is None else Decoration(self.number, operands)


def representation(name: str, place: PropertyCarrier) -> Representation | None:
    """Return the row of a property, or None if it has no representation at this place."""
    row = _row(name)
    return row if row and place in row.places else None


def is_represented(name: str) -> bool:
    """Return whether a property has a representation at any place."""
    return _row(name) is not None


def _row(name: str) -> Representation | None:
    return TABLE.get(name) or _of_a_user(name)


def _of_a_user(name: str) -> Representation | None:
    """Return the row of a property whose name contains the number of a decoration or mode."""
    match = _NUMBERED.fullmatch(name)
    if not match or int(match[2]) >= 1 << 32:
        return None
    number = int(match[2])
    if match[1] == "execution-mode":
        return Representation(
            number, PropertyCarrier.KERNEL, _fitting(value_parameters("E", number))
        )
    return Representation(number, _DECORATED, _fitting(value_parameters("D", number)))


def _fitting(spelled: str | None) -> Callable[[str, str], Operands]:
    """Return a function that parses operands and checks them against the grammar, if known."""

    def operands(value: str, symbol: str) -> Operands:
        if spelled == "s":
            return (value,)
        found = parse_operands(value)
        if spelled is not None and not _fits(found, spelled):
            raise FormatError(f"expected {_description(spelled)}, got '{value}'")
        return found

    return operands


def _fits(operands: Operands, spelled: str) -> bool:
    kinds = "".join("l" if isinstance(operand, int) else "s" for operand in operands)
    # The expected kinds can contain a star, so they are matched as a regular expression.
    return re.fullmatch(spelled, kinds) is not None


def _description(spelled: str) -> str:
    if "i" in spelled:
        return "ids, which properties cannot have"
    return ", ".join(_KINDS[letter] for letter in spelled if letter in _KINDS) or "no operands"


def _integer(value: str, symbol: str) -> Operands:
    operands = parse_operands(value)
    match operands:
        case (int(),):
            return operands
        case _:
            raise FormatError(f"expected a 32-bit integer, got '{value}'")


def _no_alias(value: str, symbol: str) -> Operands | None:
    return (_NO_ALIAS,) if _truth(value) else None


def _as_number(value: str, symbol: str) -> Operands:
    return (int(_truth(value)),)


def _truth(value: str) -> bool:
    if value not in _TRUTHS:
        raise FormatError(f"expected 'true' or 'false', got '{value}'")
    return _TRUTHS[value]


def _host_access(value: str, symbol: str) -> Operands:
    """Return SPIR-V's access mode and the name by which the host finds the variable."""
    if value not in _HOST_ACCESS:
        raise FormatError(f"expected 'read', 'write', 'read_write' or 'none', got '{value}'")
    return _HOST_ACCESS[value], symbol


_KINDS = {"l": "an integer", "s": "a string", "*": "any number of them"}
_NUMBERED = re.compile(r"sycl-(decoration|execution-mode)-([0-9]{1,10})")
_TRUTHS = {"": True, "true": True, "1": True, "false": False, "0": False}
_HOST_ACCESS = {
    **{"0": 1, "1": 2, "2": 3, "3": 0},
    **{"read": 1, "write": 2, "read_write": 3, "none": 0},
}
"""SYCL's numbers and names, mapped to SPIR-V's numbers."""

_DECORATED = PropertyCarrier.PARAMETER | PropertyCarrier.VARIABLE | PropertyCarrier.MEMBER
_NO_ALIAS = 4
"""The function parameter attribute NoAlias."""

TABLE = {
    "sycl-no-alias": Representation(38, PropertyCarrier.PARAMETER, _no_alias),
    # Not for members: the decoration would apply to the member, instead of the memory it points to.
    "sycl-alignment": Representation(
        44, PropertyCarrier.PARAMETER | PropertyCarrier.VARIABLE, _integer
    ),
    "sycl-buffer-location": Representation(
        5921, PropertyCarrier.PARAMETER | PropertyCarrier.MEMBER, _integer
    ),
    "sycl-host-access": Representation(6188, PropertyCarrier.VARIABLE, _host_access),
    "sycl-init-mode": Representation(6190, PropertyCarrier.VARIABLE, _integer),
    "sycl-implement-in-csr": Representation(6191, PropertyCarrier.VARIABLE, _as_number),
}

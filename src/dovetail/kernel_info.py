"""What is known about a kernel: its names, its shape and its parameters.

The front-end writes it, the image carries it as JSON in a property set of our own, and the runtime
reads it back to convert arguments. Reading checks everything, since images can come from anywhere.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any, NamedTuple, cast

from dovetail.errors import FormatError


class ParameterKind(StrEnum):
    """How an argument is handed to a kernel."""

    SCALAR = "scalar"
    POINTER = "pointer"
    OBJECT = "object"
    """A class passed by value, as its bytes."""


@dataclass(frozen=True)
class Field:
    """A member of a class passed by value, by its NumPy type code."""

    name: str
    offset: int
    encoding: str
    count: int = 1
    """More than one for arrays."""


LOCAL = "local"
POINTER = "pointer"
GLOBAL_POINTER = "global_pointer"
POINTERS = (POINTER, GLOBAL_POINTER)
"""Kinds of `ArgumentMember`."""

ADDRESS_SIZE = 8
"""Bytes of an address in an object."""


@dataclass(frozen=True)
class ArgumentMember:
    """A part of a kernel object that does not just go to the device as bytes."""

    kind: str
    """`buffer`: the address of a buffer's memory is put there before the kernel starts.
    `local`: it is given memory of each work-group's own, as a further argument of the kernel.
    `pointer`, `global_pointer`: the address there is a further argument, too, which has properties;
    the device declares it as a pointer to any memory, or to global memory."""
    offset: int
    size: int
    type: str


@dataclass(frozen=True)
class Parameter:
    """One parameter of a kernel, as the source declares it."""

    name: str
    type: str
    """As C++ spells it."""
    kind: ParameterKind
    size: int
    align: int
    encoding: str = ""
    """NumPy's type code (`f4`, `u8`, `b1`) of a scalar, or of what a pointer points to."""
    writable: bool = True
    """Whether the kernel may write through the pointer."""
    pointee_size: int = 0
    """Bytes of what a pointer points to; 0 if that is not known."""
    fields: tuple[Field, ...] = ()
    """The members of an object, or of what a pointer points to, if all have a type code."""
    members: tuple[ArgumentMember, ...] = ()


@dataclass(frozen=True)
class KernelInfo:
    """One kernel of a program."""

    symbol: str
    """The entry point's name in the device image."""
    name: str
    """The plain, qualified C++ name."""
    signature: str
    """The name with parameter types, as the source spells them."""
    dimensions: int | None
    """Of the nd_range that the kernel takes; 0 for a single task, None if the source leaves it to
    whoever starts the kernel."""
    parameters: tuple[Parameter, ...]
    file: str = ""
    line: int = 0
    demangled: str = ""
    """The symbol as a demangler spells it."""


class InnerArgument(NamedTuple):
    """A further argument of a kernel, behind its parameters."""

    number: int
    """Its index among all arguments."""
    parameter: int
    """The index of the parameter that holds it."""
    place: int
    """Its index among the members of that parameter."""
    member: ArgumentMember


def inner_arguments(parameters: Sequence[Parameter]) -> list[InnerArgument]:
    """The further arguments of a kernel with these parameters."""
    members = [
        (index, place, member)
        for index, parameter in enumerate(parameters)
        for place, member in enumerate(parameter.members)
        if member.kind == LOCAL or member.kind in POINTERS
    ]
    return [InnerArgument(number, *it) for number, it in enumerate(members, len(parameters))]


def to_json(kernel: KernelInfo) -> bytes:
    """One kernel as compact JSON; the symbol is left out, since it is the key."""
    fields = {name: value for name, value in vars(kernel).items() if name != "symbol"}
    # `asdict` would copy all of it first, which takes many times as long.
    return json.dumps(fields, separators=(",", ":"), ensure_ascii=False, default=vars).encode()


def from_json(symbol: str, data: bytes) -> KernelInfo:
    """The kernel described by `data`, or `FormatError` if it is no such description."""
    try:
        fields = cast(dict[str, Any], json.loads(data))
        parameters = tuple(parameter_from_fields(p) for p in fields.pop("parameters"))
        kernel = KernelInfo(symbol=symbol, parameters=parameters, **fields)
        check_kernel(kernel)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise FormatError(f"the description of kernel '{symbol}' is malformed: {error}") from None
    return kernel


def parameter_from_fields(fields: dict[str, Any]) -> Parameter:
    """A parameter from its JSON form; the values are not checked."""
    fields["kind"] = ParameterKind(fields["kind"])
    fields["fields"] = tuple(Field(**f) for f in fields.get("fields", ()))
    fields["members"] = tuple(ArgumentMember(**m) for m in fields.get("members", ()))
    return Parameter(**fields)


def check_kernel(kernel: KernelInfo) -> None:
    """Raise `ValueError` or `TypeError` if a value is not what the class declares: JSON has any."""
    _check_types(kernel)
    if kernel.dimensions is not None and not 0 <= kernel.dimensions <= 3:
        raise ValueError(f"{kernel.dimensions} dimensions")
    for parameter in kernel.parameters:
        _check_types(parameter)
        if not (0 < parameter.size < 1 << 20 and 0 < parameter.align < 1 << 20):
            raise ValueError(f"parameter '{parameter.name}' has an impossible size")
        extent = max(parameter.size, parameter.pointee_size)
        for part in (*parameter.fields, *parameter.members):
            _check_types(part)
            if not 0 <= part.offset < extent:
                raise ValueError(f"parameter '{parameter.name}' has a member outside of it")
        for member in parameter.members:
            if member.kind in POINTERS and member.offset + ADDRESS_SIZE > parameter.size:
                raise ValueError(f"parameter '{parameter.name}' has a pointer outside of it")


def _check_types(record: object) -> None:
    for name, expected in _declared_types(type(record)):
        value = getattr(record, name)
        if not isinstance(value, expected) or (isinstance(value, bool) and expected is not bool):
            raise TypeError(f"'{name}' is {value!r}")
        if isinstance(value, str) and not value.isascii():
            value.encode()  # JSON can hold halves of characters


@cache
def _declared_types(record: type) -> tuple[tuple[str, Any], ...]:
    """Of each field, what `isinstance` takes; there are thousands of records of a few types."""
    declared = record.__annotations__.items()
    return tuple(
        (name, tuple if str(kind).startswith("tuple") else kind) for name, kind in declared
    )

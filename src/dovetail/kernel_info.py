"""Descriptions of kernels: names, dimensions and parameters.

The front-end creates them, images store them as JSON in a property set of this project, and the
runtime uses them to convert arguments. Reading validates everything, since images can come from any
source.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from types import UnionType
from typing import Any, NamedTuple, TypeAlias

from dovetail.errors import FormatError

JsonObject: TypeAlias = dict[str, Any]
"""A JSON object whose values are not validated yet."""


class ParameterKind(StrEnum):
    """How an argument is passed to a kernel."""

    SCALAR = "scalar"
    POINTER = "pointer"
    OBJECT = "object"
    """A class object, passed by value as bytes."""


@dataclass(frozen=True)
class Field:
    """A member of a class that is passed by value, with a NumPy type code.

    Its fields are JSON keys (`KernelInfo`).
    """

    name: str
    offset: int
    encoding: str
    count: int = 1
    """The number of elements, if it is an array."""


LOCAL = "local"
POINTER = "pointer"
GLOBAL_POINTER = "global_pointer"
POINTERS = (POINTER, GLOBAL_POINTER)
"""Kinds of `ArgumentMember`."""

ADDRESS_SIZE = 8
"""Size of an address in an object, in bytes."""


@dataclass(frozen=True)
class ArgumentMember:
    """A member of a kernel object that needs more than copying its bytes to the device.

    Its fields are JSON keys (`KernelInfo`).
    """

    kind: str
    """`buffer`: the runtime stores the address of a buffer's memory there before the launch.
    `local`: memory of each work-group, which an additional kernel argument provides.
    `pointer`, `global_pointer`: an address that is also passed as an additional argument, because
    it has properties; the kernel declares it as a pointer to any memory, or to global memory."""
    offset: int
    size: int
    type: str


@dataclass(frozen=True)
class Parameter:
    """A parameter of a kernel, as declared in the source.

    Its fields are JSON keys (`KernelInfo`).
    """

    name: str
    type: str
    """The C++ spelling."""
    kind: ParameterKind
    size: int
    align: int
    encoding: str = ""
    """NumPy's type code (`f4`, `u8`, `b1`) of a scalar, or of a pointer's pointee."""
    writable: bool = True
    """Whether the kernel may write through the pointer."""
    pointee_size: int = 0
    """Size of a pointer's pointee in bytes; 0 if unknown."""
    fields: tuple[Field, ...] = ()
    """The members of an object, or of a pointer's pointee, if all have a type code."""
    members: tuple[ArgumentMember, ...] = ()


@dataclass(frozen=True)
class KernelInfo:
    """The description of a kernel.

    The names of the fields are JSON keys, in images and in `dovetail inspect --json`
    (docs/formats.md): a renamed field changes both formats.
    """

    symbol: str
    """The name of the entry point in the device image."""
    name: str
    """The qualified C++ name."""
    signature: str
    """The name with parameter types, as spelled in the source."""
    dimensions: int | None
    """Of the kernel's nd_range; 0 for a single task, None if the launch determines them."""
    parameters: tuple[Parameter, ...]
    file: str = ""
    line: int = 0
    demangled: str = ""
    """The demangled symbol."""

    @property
    def label(self) -> str:
        """The kernel's name and place, for messages."""
        return f"'{self.name}' ({self.file}:{self.line})" if self.file else f"'{self.name}'"


class InnerArgument(NamedTuple):
    """An additional argument of a kernel, after its parameters."""

    number: int
    """Its index among all arguments."""
    parameter: int
    """The index of the parameter that contains its member."""
    place: int
    """The index of its member in that parameter."""
    member: ArgumentMember


def inner_arguments(parameters: Sequence[Parameter]) -> list[InnerArgument]:
    """Return the additional arguments of a kernel with these parameters."""
    members = [
        (index, place, member)
        for index, parameter in enumerate(parameters)
        for place, member in enumerate(parameter.members)
        if member.kind == LOCAL or member.kind in POINTERS
    ]
    return [InnerArgument(number, *it) for number, it in enumerate(members, len(parameters))]


def to_json(kernel: KernelInfo) -> bytes:
    """Serialize a kernel without its symbol, which is the key of the property."""
    fields = {name: value for name, value in vars(kernel).items() if name != "symbol"}
    # `asdict` is many times slower, because it copies everything.
    return json.dumps(fields, separators=(",", ":"), ensure_ascii=False, default=vars).encode()


def from_json(symbol: str, data: bytes) -> KernelInfo:
    """Deserialize a kernel; `FormatError` if `data` is invalid."""
    try:
        fields: JsonObject = json.loads(data)
        parameters = tuple(parameter_from_fields(p) for p in fields.pop("parameters"))
        kernel = KernelInfo(symbol=symbol, parameters=parameters, **fields)
        check_kernel(kernel)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise FormatError(f"the description of kernel '{symbol}' is invalid: {error}") from None
    return kernel


def parameter_from_fields(fields: JsonObject) -> Parameter:
    """Deserialize a parameter; `check_kernel` validates its values."""
    fields["kind"] = ParameterKind(fields["kind"])
    fields["fields"] = tuple(Field(**f) for f in fields.get("fields", ()))
    fields["members"] = tuple(ArgumentMember(**m) for m in fields.get("members", ()))
    return Parameter(**fields)


def check_kernel(kernel: KernelInfo) -> None:
    """Raise `ValueError` or `TypeError` if a value has the wrong type or is out of range."""
    _check_types(kernel)
    if kernel.dimensions is not None and not 0 <= kernel.dimensions <= 3:
        raise ValueError(f"expected 0 to 3 dimensions, got {kernel.dimensions}")
    for parameter in kernel.parameters:
        _check_types(parameter)
        if not (0 < parameter.size < 1 << 20 and 0 < parameter.align < 1 << 20):
            raise ValueError(f"parameter '{parameter.name}' has an invalid size or alignment")
        extent = max(parameter.size, parameter.pointee_size)
        for part in (*parameter.fields, *parameter.members):
            _check_types(part)
            if not 0 <= part.offset < extent:
                raise ValueError(f"a member of parameter '{parameter.name}' lies outside of it")
        for member in parameter.members:
            if member.kind in POINTERS and member.offset + ADDRESS_SIZE > parameter.size:
                raise ValueError(f"a pointer in parameter '{parameter.name}' lies outside of it")


def _check_types(record: object) -> None:
    """Raise `TypeError` if a field does not have its declared type."""
    for name, expected in _declared_types(type(record)):
        value = getattr(record, name)
        if not isinstance(value, expected) or (isinstance(value, bool) and expected is not bool):
            raise TypeError(f"'{name}' has the invalid value {value!r}")
        if isinstance(value, str) and not value.isascii():
            value.encode()  # JSON can hold unpaired surrogates, which UTF-8 cannot.


@cache
def _declared_types(record: type) -> tuple[tuple[str, type | UnionType], ...]:
    """Return the fields of a class with their types for `isinstance`; cached for speed."""
    declared = record.__annotations__.items()
    return tuple(
        (name, tuple if str(kind).startswith("tuple") else kind) for name, kind in declared
    )

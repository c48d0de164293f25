"""Define the specialization constants of an image.

In SPIR-V, a scalar of a constant is an instruction with a `SpecId`, whose value drivers set before
they compile the code. NVIDIA's and AMD's GPUs have no such code: there, a constant is a variable in
constant memory with the default value, and whoever loads the code may change it before the first
launch: for NVIDIA's GPUs, the CUDA back-end (runtime/cuda/program.py).
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from dovetail import image
from dovetail.device_metadata import CONSTANT_SCALAR, SCALAR_PREFIX
from dovetail.image import ImageInfo
from dovetail.ir import Module, link_definitions
from dovetail.targets.ir_family import IRFamily, family_name

_MANGLED = {
    "i8": "c",
    "i16": "s",
    "i32": "i",
    "i64": "l",
    "half": "Dh",
    "float": "f",
    "double": "d",
}
"""The parameter types in names of LLVM's built-in function for the instruction."""

_CONSTANT_MEMORY = 4
"""The address space of constant memory in code for NVIDIA's and AMD's GPUs."""


class _Scalar(NamedTuple):
    """A function that returns a scalar of a constant."""

    symbol: str
    identifier: str
    offset: int
    constant_size: int
    type: str
    default: bytes

    @property
    def initial(self) -> str:
        """The default value in LLVM's syntax."""
        bits = int.from_bytes(self.default, "little")
        if self.kind == "i":
            return str(bits)
        return f"bitcast (i{8 * len(self.default)} {bits} to {self.type})"

    @property
    def kind(self) -> str:
        return "i" if self.type.startswith("i") else "f"


def define_constants(module: Module, info: ImageInfo) -> ImageInfo:
    """Define the constants that an image's functions read; add them to its description."""
    scalars = _scalars(module)
    is_spirv = family_name(module.triple) == IRFamily.SPIRV64
    conventions = {each.name: each.calling_convention for each in module.functions()}
    constants: list[image.SpecializationConstant] = []
    defaults = b""
    kinds: dict[str, str] = {}
    texts: list[str] = []
    declarations: dict[str, None] = {}
    first = 0
    for identifier, group in groupby(scalars, attrgetter("identifier")):
        parts = list(group)
        numbered = [
            image.ConstantScalar(number, each.offset, len(each.default))
            for number, each in enumerate(parts, first)
        ]
        first += len(parts)
        size = parts[0].constant_size
        constants.append(image.SpecializationConstant(identifier, size, tuple(numbered)))
        values = _default(parts)
        defaults += values
        kinds[identifier] = "".join(each.kind for each in parts)
        if not is_spirv:
            texts.append(_variable(identifier, values))
        for scalar, number in zip(parts, numbered, strict=True):
            convention = conventions[scalar.symbol]
            if is_spirv:
                declarations[_declaration(scalar, convention)] = None
                texts.append(_instruction(scalar, number.spec_id, convention))
            else:
                texts.append(_load(scalar, convention))
    link_definitions(module, "\n".join([*declarations, *texts]), "specialization constants")
    symbols = [each.symbol for each in scalars]
    module.set_linkage(dict.fromkeys(symbols, "internal"))
    module.inline_functions(symbols)
    return replace(
        info,
        specialization_constants=tuple(constants),
        specialization_defaults=defaults,
        specialization_kinds=kinds,
    )


def _scalars(module: Module) -> list[_Scalar]:
    """Return the scalars that a module reads, in ascending order of identifiers and offsets."""
    found: list[_Scalar] = []
    for symbol, text in module.function_attributes(CONSTANT_SCALAR).items():
        identifier = symbol.removeprefix(SCALAR_PREFIX).rpartition(".")[0]
        offset, size, type_, default = text.split(" ")
        found.append(
            _Scalar(symbol, identifier, int(offset), int(size), type_, bytes.fromhex(default))
        )
    return sorted(found, key=attrgetter("identifier", "offset"))


def _default(scalars: Sequence[_Scalar]) -> bytes:
    """Return the default value of a constant; parts that nothing reads are zero."""
    values = bytearray(scalars[0].constant_size)
    for each in scalars:
        values[each.offset : each.offset + len(each.default)] = each.default
    return bytes(values)


def _built_in(scalar: _Scalar) -> str:
    return f"_Z20__spirv_SpecConstanti{_MANGLED[scalar.type]}"


def _declaration(scalar: _Scalar, convention: str) -> str:
    return f"declare {convention} {scalar.type} @{_built_in(scalar)}(i32, {scalar.type})"


def _instruction(scalar: _Scalar, number: int, convention: str) -> str:
    return (
        f'define linkonce_odr {convention} {scalar.type} @"{scalar.symbol}"() {{\n'
        f"  %value = call {convention} {scalar.type}"
        f" @{_built_in(scalar)}(i32 {number}, {scalar.type} {scalar.initial})\n"
        f"  ret {scalar.type} %value\n}}"
    )


def _variable(identifier: str, values: bytes) -> str:
    content = "".join(f"\\{byte:02x}" for byte in values)
    return (
        f'@"{identifier}" = addrspace({_CONSTANT_MEMORY}) externally_initialized constant'
        f' [{len(values)} x i8] c"{content}", align 16'
    )


def _load(scalar: _Scalar, convention: str) -> str:
    space = f"ptr addrspace({_CONSTANT_MEMORY})"
    return (
        f'define linkonce_odr {convention} {scalar.type} @"{scalar.symbol}"() {{\n'
        f'  %place = getelementptr i8, {space} @"{scalar.identifier}", i64 {scalar.offset}\n'
        f"  %value = load {scalar.type}, {space} %place\n"
        f"  ret {scalar.type} %value\n}}"
    )

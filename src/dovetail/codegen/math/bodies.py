"""Generates definitions of math functions, as a module in textual LLVM IR to link."""

import re
import struct
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import NamedTuple

from dovetail.codegen.math.table import FUNCTIONS, Implementation, MathFunction
from dovetail.targets.ir_family import IRFamily

_LETTERS = {"half": "DF16_", "float": "f", "double": "d"}
"""The manglings of types in the Itanium C++ ABI."""
_INTRINSIC_SUFFIXES = {"half": "f16", "float": "f32", "double": "f64"}
_LIBDEVICE_SUFFIXES = {"half": "", "float": "f", "double": ""}
_INTEGERS = {"half": "i16", "float": "i32", "double": "i64"}

_LIBRARY_CALL = re.compile(r"call (\w+) @(__(?:nv|ocml)_\w+)\(([^)]*)\)")


class MathBodies(NamedTuple):
    """Definitions of math functions."""

    text: str
    """A module in textual LLVM IR."""
    defined: frozenset[str]
    """The symbols that the module defines."""
    missing: frozenset[str]
    """The symbols of math functions that need a library that is not installed."""
    needs_library: bool
    """Whether the module calls functions of the family's library."""


class _Instance(NamedTuple):
    """A function for one of its types."""

    function: MathFunction
    type: str

    @property
    def symbol(self) -> str:
        prefix = "__spirv_" if self.function.is_predicate else "__spirv_ocl_"
        name = prefix + self.function.name
        letters = {"T": _LETTERS[self.type], "i": "i"}
        return f"_Z{len(name)}{name}{''.join(letters[p] for p in self.function.parameters)}"

    @property
    def parameters(self) -> str:
        types = {"T": self.type, "i": "i32"}
        return ", ".join(
            f"{types[p]} %{n}" for p, n in zip(self.function.parameters, "abc", strict=False)
        )


@cache
def _instances() -> dict[str, _Instance]:
    """Return all functions for all their types, by symbol."""
    every = (
        _Instance(function, each) for function in FUNCTIONS.values() for each in function.types
    )
    return {instance.symbol: instance for instance in every}


def math_bodies(symbols: Iterable[str], family: IRFamily, *, has_library: bool) -> MathBodies:
    """Return definitions of the symbols that are math functions, and of the functions they call."""
    pending = [_instances()[symbol] for symbol in symbols if symbol in _instances()]
    bodies: dict[str, str] = {}
    missing: set[str] = set()

    def require(instance: _Instance) -> str:
        pending.append(instance)
        return instance.symbol

    for instance in pending:
        if instance.symbol in bodies or instance.symbol in missing:
            continue
        body = _body(instance, family, has_library, require)
        if body is None:
            missing.add(instance.symbol)
        else:
            bodies[instance.symbol] = _definition(instance, body)
    missing |= _callers(missing, bodies)
    text = "".join(body for symbol, body in bodies.items() if symbol not in missing)
    declarations = _library_declarations(text)
    defined = frozenset(bodies.keys() - missing)
    return MathBodies(declarations + text, defined, frozenset(missing), bool(declarations))


def _callers(missing: set[str], bodies: Mapping[str, str]) -> set[str]:
    """Return the functions that call a missing one, directly or indirectly."""
    found: set[str] = set()
    while new := {
        symbol
        for symbol, body in bodies.items()
        if symbol not in found and any(f"@{each}(" in body for each in missing | found)
    }:
        found |= new
    return found


def _body(
    instance: _Instance, family: IRFamily, has_library: bool, require: Callable[[_Instance], str]
) -> str | None:
    """Return the body of a function, or None if it needs a library that is not installed.

    `require` adds a function that the body calls, and returns its symbol.
    """
    available = [
        each
        for each in instance.function.implementations[family]
        if has_library or not each.needs_library
    ]
    for implementation in available:
        if instance.type in implementation.types:
            return _instantiated(implementation, instance, require)
    if instance.type == "half" and any("float" in each.types for each in available):
        return _through_float(instance, require)
    return None


def _instantiated(
    implementation: Implementation, instance: _Instance, require: Callable[[_Instance], str]
) -> str:
    return implementation.body.format_map(_Placeholders(instance.type, require))


class _Placeholders(dict[str, object]):
    """The values of the placeholders in braces."""

    def __init__(self, type_name: str, require: Callable[[_Instance], str]) -> None:
        super().__init__(
            T=type_name,
            S=_INTRINSIC_SUFFIXES[type_name],
            F=_LIBDEVICE_SUFFIXES[type_name],
            I=_INTEGERS[type_name],
            number=_Number(type_name),
        )
        self._type = type_name
        self._require = require

    def __missing__(self, name: str) -> str:
        return self._require(_Instance(FUNCTIONS[name], self._type))


class _Number(NamedTuple):
    """Formats constants of a type in LLVM's hexadecimal syntax."""

    type_name: str

    def __format__(self, spec: str) -> str:
        value = float(spec)
        if self.type_name == "half":
            return f"0xH{struct.unpack('<H', struct.pack('<e', value))[0]:04X}"
        if self.type_name == "float":
            value = struct.unpack("<f", struct.pack("<f", value))[0]
        return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"


def _through_float(instance: _Instance, require: Callable[[_Instance], str]) -> str:
    """Return the body of a half function that calls the float one, which is more precise."""
    in_float = instance._replace(type="float")
    lines: list[str] = []
    arguments: list[str] = []
    for parameter, name in zip(instance.function.parameters, "abc", strict=False):
        if parameter == "T":
            lines.append(f"%{name}.float = fpext half %{name} to float")
            arguments.append(f"float %{name}.float")
        else:
            arguments.append(f"i32 %{name}")
    lines.append(f"%wide = call float @{require(in_float)}({', '.join(arguments)})")
    lines.append("%r = fptrunc float %wide to half\nret half %r")
    return "\n".join(lines)


def _definition(instance: _Instance, body: str) -> str:
    result = "i1" if instance.function.is_predicate else instance.type
    head = f"define {result} @{instance.symbol}({instance.parameters}) alwaysinline nounwind"
    return f"{head} {{\n{body}\n}}\n"


def _library_declarations(text: str) -> str:
    found: dict[str, str] = {}
    for result, name, arguments in _LIBRARY_CALL.findall(text):
        types = ", ".join(argument.split()[0] for argument in arguments.split(", "))
        found[name] = f"declare {result} @{name}({types})\n"
    return "".join(found.values())

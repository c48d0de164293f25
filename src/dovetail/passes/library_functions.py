"""Define the functions of C's and clang's libraries that device code calls.

In: device IR that calls functions such as `sinf`, `__mulsc3` or `strlen`, or LLVM's intrinsics and
instructions for them, because kernels use `<cmath>`, `<complex>` and `<cstring>`. Out: their
definitions, from the device library (`native/device_library`), as internal functions. They call
SPIR-V's math functions, which code generation defines for families without them.
"""

import re
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from dovetail.files import LLVM_IR, read_bytes
from dovetail.ir import Function, Module, link_definitions
from dovetail.passes.base import ModulePass, PassContext
from dovetail.resources import device_library
from dovetail.targets.ir_family import IRFamily, family_name

_FAMILIES = {family.value: family for family in IRFamily}

_FLOAT_REMAINDERS = {"frem float": "fmodf", "frem double": "fmod"}
_OPERATIONS = {
    IRFamily.SPIRV64: {
        "sdiv i128": "__divti3",
        "srem i128": "__modti3",
        "udiv i128": "__udivti3",
        "urem i128": "__umodti3",
    },
    # LLVM expands remainders, but for NVIDIA's GPUs only small quotients are correct.
    IRFamily.NVPTX64: _FLOAT_REMAINDERS,
    IRFamily.AMDGCN: _FLOAT_REMAINDERS,
}
"""Operations that back-ends lack or compute imprecisely, and their functions."""

_INTRINSIC = re.compile(r"llvm\.(\w+)(?:\.i64)?\.f(32|64)(?:\.i32)?")

_UNARY = (
    *("acos", "asin", "atan", "cos", "cosh", "exp", "exp10", "exp2", "log", "log10", "log2"),
    *("sin", "sinh", "tan", "tanh"),
)

_CALL = """\
define linkonce_odr {result} @{symbol}({parameters}) alwaysinline {{
  %r = call {convention} {result} @{callee}({parameters})
  ret {result} %r
}}
declare {convention} {result} @{callee}({parameters})
"""

_SINCOS = """\
define linkonce_odr {{ {T}, {T} }} @{symbol}({T} %a) alwaysinline {{
  %sine = call {convention} {T} @sin{f}({T} %a)
  %cosine = call {convention} {T} @cos{f}({T} %a)
  %one = insertvalue {{ {T}, {T} }} poison, {T} %sine, 0
  %both = insertvalue {{ {T}, {T} }} %one, {T} %cosine, 1
  ret {{ {T}, {T} }} %both
}}
declare {convention} {T} @sin{f}({T} %a)
declare {convention} {T} @cos{f}({T} %a)
"""

_MODF = """\
define linkonce_odr {{ {T}, {T} }} @{symbol}({T} %a) alwaysinline {{
  %whole = call {T} @llvm.trunc.{S}({T} %a)
  %rest = fsub {T} %a, %whole
  %infinite = call i1 @llvm.is.fpclass.{S}({T} %a, i32 516)
  %size = select i1 %infinite, {T} 0.0, {T} %rest
  %fraction = call {T} @llvm.copysign.{S}({T} %size, {T} %a)
  %one = insertvalue {{ {T}, {T} }} poison, {T} %fraction, 0
  %both = insertvalue {{ {T}, {T} }} %one, {T} %whole, 1
  ret {{ {T}, {T} }} %both
}}
"""

# For SPIR-V only.
_FREXP = """\
define linkonce_odr {{ {T}, i32 }} @{symbol}({T} %a) alwaysinline {{
  %variable = alloca i32
  %pointer = addrspacecast ptr %variable to ptr addrspace(4)
  %fraction = call {convention} {T} @frexp{f}({T} %a, ptr addrspace(4) %pointer)
  %exponent = load i32, ptr %variable
  %one = insertvalue {{ {T}, i32 }} poison, {T} %fraction, 0
  %both = insertvalue {{ {T}, i32 }} %one, i32 %exponent, 1
  ret {{ {T}, i32 }} %both
}}
declare {convention} {T} @frexp{f}({T} %a, ptr addrspace(4) %pointer)
"""

_BODIES = {"sincos": _SINCOS, "modf": _MODF, "frexp": _FREXP}
"""Definitions of intrinsics with two results."""

_CONVERSIONS = ("llrint", "llround", "lrint", "lround")
_REPLACED_ON_GPUS = (*_UNARY, *_CONVERSIONS, "atan2", "modf", "pow", "powi", "sincos")
"""Intrinsics that LLVM's GPU back-ends lack for a type, or compute imprecisely."""
_REPLACED = {
    # The back-end cannot compile the first and the last, and adds variables for the others.
    IRFamily.SPIRV64: ("exp10", "frexp", "modf", "sincos"),
    IRFamily.NVPTX64: _REPLACED_ON_GPUS,
    IRFamily.AMDGCN: _REPLACED_ON_GPUS,
}


@dataclass(frozen=True)
class LibraryFunctions(ModulePass):
    """Define library functions that are called and not defined."""

    name: ClassVar[str] = "library-functions"

    def apply(self, context: PassContext, module: Module) -> None:
        family = _FAMILIES.get(family_name(module.triple))
        if not family:
            return
        module.call_for_operations(_OPERATIONS[family])
        _replace_intrinsics(module, family)
        if any(map(_may_be_in_library, module.functions())):
            _link_library(module, family)


def _may_be_in_library(function: Function) -> bool:
    """Return whether a function is declared like those of the library, which are not mangled."""
    return function.is_declaration and not function.name.startswith(("_Z", "llvm."))


def _link_library(module: Module, family: IRFamily) -> None:
    """Link the functions of the library that a module declares, and those that these call."""
    declared = {each.name for each in module.functions() if _may_be_in_library(each)}
    library = Module.parse(module.context, _bitcode(family), "device library")
    called = declared.intersection(f.name for f in library.functions() if not f.is_declaration)
    if not called:
        return
    part = library.extract(sorted(called))
    defined = {each.name for each in module.functions() if not each.is_declaration}
    linked = [
        each.name
        for each in part.functions()
        if not each.is_declaration and each.linkage != "internal" and each.name not in defined
    ]
    module.link(part)
    # Other sources of the program have copies of their own.
    module.set_linkage(dict.fromkeys(linked, "internal"))


@cache
def _bitcode(family: IRFamily) -> bytes:
    return read_bytes(device_library(family), LLVM_IR)


def _replace_intrinsics(module: Module, family: IRFamily) -> None:
    """Replace calls of intrinsics by calls of library functions."""
    found = [
        match
        for function in module.functions()
        if (match := _INTRINSIC.fullmatch(function.name)) and match[1] in _REPLACED[family]
    ]
    if not found:
        return
    names = {match[0]: f"__dovetail{match[0].removeprefix('llvm')}" for match in found}
    module.rename(names)
    convention = "spir_func" if family is IRFamily.SPIRV64 else "ccc"
    definitions = (_definition(match, names[match[0]], convention) for match in found)
    link_definitions(module, _with_unique_declarations("".join(definitions)), "intrinsics")
    module.set_linkage(dict.fromkeys(names.values(), "internal"))


def _definition(match: re.Match[str], symbol: str, convention: str) -> str:
    """Return the definition of an intrinsic under a new symbol."""
    name, kind = match[1], "float" if match[2] == "32" else "double"
    suffix = "f" if kind == "float" else ""
    if name in _BODIES:
        return _BODIES[name].format(
            T=kind, S=f"f{match[2]}", f=suffix, symbol=symbol, convention=convention
        )
    parameters = {"atan2": f"{kind} %a, {kind} %b", "powi": f"{kind} %a, i32 %b"}
    parameters["pow"] = parameters["atan2"]
    powers = {"float": "__powisf2", "double": "__powidf2"}
    return _CALL.format(
        result="i64" if name in _CONVERSIONS else kind,
        symbol=symbol,
        parameters=parameters.get(name, f"{kind} %a"),
        convention=convention,
        callee=powers[kind] if name == "powi" else name + suffix,
    )


def _with_unique_declarations(text: str) -> str:
    """Return IR in which each function is declared once."""
    lines = text.splitlines()
    declarations = dict.fromkeys(line for line in lines if line.startswith("declare "))
    return "\n".join([*declarations, *(line for line in lines if line not in declarations)])

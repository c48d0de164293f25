"""The implementations of math functions on NVIDIA's and AMD's GPUs: one row for each function.

A row lists, for each family, implementations of the function, the best first. An implementation is
LLVM IR with arguments %a, %b and %c and these placeholders:

    {T}           the type: half, float or double       {I}    an integer of its size
    {S}           the type in names of intrinsics: f32  {F}    its suffix in libdevice
    {number:1.5}  a constant of the type                {pow}  another function of this table

Implementations without a library are as precise as SYCL requires, and are listed only for types
that LLVM supports.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from dovetail.targets.ir_family import IRFamily

ALL_TYPES = ("half", "float", "double")


class Implementation(NamedTuple):
    """An implementation of a function."""

    body: str
    types: tuple[str, ...] = ALL_TYPES
    needs_library: bool = False


class MathFunction(NamedTuple):
    """A math function."""

    name: str
    """The name after `__spirv_ocl_`, or after `__spirv_` for a predicate."""
    parameters: str
    """One letter each: T for the type, i for an int."""
    implementations: Mapping[IRFamily, tuple[Implementation, ...]]
    types: tuple[str, ...] = ALL_TYPES
    is_predicate: bool = False
    """Whether the result is a bool."""


def _arguments(parameters: str) -> str:
    types = {"T": "{T}", "i": "i32"}
    return ", ".join(f"{types[p]} %{n}" for p, n in zip(parameters, "abc", strict=False))


def _call(callee: str, parameters: str, flags: str = "") -> str:
    return f"%r = call {flags}{{T}} @{callee}({_arguments(parameters)})\nret {{T}} %r"


def _everywhere(name: str, parameters: str, body: str) -> MathFunction:
    """Return a function with the same code for both families."""
    same = (Implementation(body),)
    return MathFunction(name, parameters, {IRFamily.NVPTX64: same, IRFamily.AMDGCN: same})


def _instruction(name: str, parameters: str, intrinsic: str) -> MathFunction:
    """Return a function that is an instruction, or that LLVM expands exactly."""
    return _everywhere(name, parameters, _call(f"llvm.{intrinsic}", parameters))


def _predicate(name: str, body: str) -> MathFunction:
    return _everywhere(name, "T", body + "\nret i1 %r")._replace(is_predicate=True)


def _class_predicate(name: str, classes: int) -> MathFunction:
    """Return a test for classes of numbers, as bits of LLVM's `FPClassTest`."""
    return _predicate(name, f"%r = call i1 @llvm.is.fpclass.{{S}}({{T}} %a, i32 {classes})")


def _libdevice(body: str, types: tuple[str, ...] = ("float", "double")) -> Implementation:
    """Return an implementation by NVIDIA's library, which has no functions for half."""
    return Implementation(body, types, needs_library=True)


def _ocml(name: str, parameters: str) -> Implementation:
    return Implementation(_call(f"__ocml_{name}_{{S}}", parameters), needs_library=True)


def _from_libraries(
    name: str,
    parameters: str,
    *,
    nvidia: tuple[Implementation, ...] = (),
    nvidia_fallback: tuple[Implementation, ...] = (),
    amd_fallback: tuple[Implementation, ...] = (),
) -> MathFunction:
    """Return a function of both libraries, under the same name unless `nvidia` is given.

    The fallbacks do not need the library.
    """
    by_name = (_libdevice(_call(f"__nv_{name}{{F}}", parameters)),)
    implementations = {
        IRFamily.NVPTX64: (*(nvidia or by_name), *nvidia_fallback),
        IRFamily.AMDGCN: (_ocml(name, parameters), *amd_fallback),
    }
    return MathFunction(name, parameters, implementations)


def _expanded_for_amd(name: str) -> MathFunction:
    """Return a function whose expansion by LLVM for AMD's half and float is precise enough."""
    fallback = Implementation(_call(f"llvm.{name}.{{S}}", "T"), ("half", "float"))
    return _from_libraries(name, "T", amd_fallback=(fallback,))


def _fast(name: str, body: str, *, nvidia: str = "") -> MathFunction:
    """Return a `native_` function, with the precision of the hardware's instructions."""
    both = _everywhere(f"native_{name}", "TT" if "%b" in body else "T", body)
    implementations = (
        {**both.implementations, IRFamily.NVPTX64: (Implementation(nvidia),)}
        if nvidia
        else both.implementations
    )
    return both._replace(implementations=implementations, types=("float",))


def _half_precision(name: str, parameters: str, callee: str) -> MathFunction:
    row = _everywhere(f"half_{name}", parameters, _call(f"{{{callee}}}", parameters))
    return row._replace(types=("float",))


# Functions that are neither instructions nor library functions.

_DEGREES = "%r = fmul {T} %a, {number:57.295779513082323}\nret {T} %r"
_RADIANS = "%r = fmul {T} %a, {number:0.017453292519943295}\nret {T} %r"

_SIGN = """\
%one = call {T} @llvm.copysign.{S}({T} {number:1}, {T} %a)
%zero = fcmp oeq {T} %a, {number:0}
%number = select i1 %zero, {T} %a, {T} %one
%nan = fcmp uno {T} %a, %a
%r = select i1 %nan, {T} {number:0}, {T} %number
ret {T} %r"""

_STEP = """\
%below = fcmp olt {T} %b, %a
%r = select i1 %below, {T} {number:0}, {T} {number:1}
ret {T} %r"""

_FMIN_COMMON = "%c = fcmp olt {T} %b, %a\n%r = select i1 %c, {T} %b, {T} %a\nret {T} %r"
_FMAX_COMMON = "%c = fcmp olt {T} %a, %b\n%r = select i1 %c, {T} %b, {T} %a\nret {T} %r"

_FCLAMP = """\
%raised = call {T} @llvm.maxnum.{S}({T} %a, {T} %b)
%r = call {T} @llvm.minnum.{S}({T} %raised, {T} %c)
ret {T} %r"""

# If an operand is NaN, so is the difference.
_FDIM = """\
%difference = fsub {T} %a, %b
%none = fcmp ole {T} %a, %b
%r = select i1 %none, {T} {number:0}, {T} %difference
ret {T} %r"""

_MIX = """\
%way = fsub {T} %b, %a
%r = call {T} @llvm.fmuladd.{S}({T} %way, {T} %c, {T} %a)
ret {T} %r"""

_SMOOTHSTEP = """\
%from = fsub {T} %c, %a
%width = fsub {T} %b, %a
%part = fdiv {T} %from, %width
%raised = call {T} @llvm.maxnum.{S}({T} %part, {T} {number:0})
%t = call {T} @llvm.minnum.{S}({T} %raised, {T} {number:1})
%minus = fmul {T} %t, {number:-2}
%factor = fadd {T} %minus, {number:3}
%square = fmul {T} %t, %t
%r = fmul {T} %square, %factor
ret {T} %r"""

_RSQRT = """\
%root = call {T} @llvm.sqrt.{S}({T} %a)
%r = fdiv {T} {number:1}, %root
ret {T} %r"""

_SIGN_BIT = "%bits = bitcast {T} %a to {I}\n%r = icmp slt {I} %bits, 0"

# `powr` requires a non-negative base, and differs from `pow` in edge cases.
_POWR = """\
%base = call {T} @llvm.fabs.{S}({T} %a)
%power = call {T} @{pow}({T} %base, {T} %b)
%no.base = fcmp ult {T} %a, {number:0}
%no.exponent = fcmp uno {T} %b, %b
%zero = fcmp oeq {T} %b, {number:0}
%base.zero = fcmp oeq {T} %base, {number:0}
%base.infinite = fcmp oeq {T} %base, {number:inf}
%edge = or i1 %base.zero, %base.infinite
%no.zeroth = and i1 %edge, %zero
%one = fcmp oeq {T} %a, {number:1}
%size = call {T} @llvm.fabs.{S}({T} %b)
%infinite = fcmp oeq {T} %size, {number:inf}
%no.limit = and i1 %one, %infinite
%no.1 = or i1 %no.base, %no.exponent
%no.2 = or i1 %no.zeroth, %no.limit
%no = or i1 %no.1, %no.2
%r = select i1 %no, {T} {number:nan}, {T} %power
ret {T} %r"""

# Libdevice's `powi` multiplies repeatedly, which is too imprecise for large exponents.
_POWN_DOUBLE = """\
%exponent = sitofp i32 %b to double
%r = call double @{pow}(double %a, double %exponent)
ret double %r"""

# A float cannot represent all 31-bit integers, so the exponent is split in two of the same sign.
_POWN_FLOAT = """\
%low = srem i32 %b, 4096
%exponent = sitofp i32 %low to float
%power = call float @{pow}(float %a, float %exponent)
%high = sub i32 %b, %low
%small = icmp eq i32 %high, 0
br i1 %small, label %done, label %large
large:
%rest = sitofp i32 %high to float
%other = call float @{pow}(float %a, float %rest)
%product = fmul float %power, %other
ret float %product
done:
ret float %power"""


def _fast_quotient(dividend: str, divisor: str) -> str:
    return f"%r = fdiv arcp afn float {dividend}, {divisor}\nret float %r"


def _fast_multiple(function: str, factor: float) -> str:
    return (
        f"%one = call float @{{{function}}}(float %a)\n"
        f"%r = fmul float %one, {{number:{factor}}}\nret float %r"
    )


def _fast_power(factor: float) -> str:
    return (
        f"%x = fmul float %a, {{number:{factor}}}\n"
        "%r = call afn float @llvm.exp2.f32(float %x)\nret float %r"
    )


_LIBRARY_UNARY = (
    *("acos", "acosh", "asin", "asinh", "atan", "atanh", "cbrt", "cos", "cosh", "erf", "erfc"),
    *("expm1", "lgamma", "log1p", "logb", "sin", "sinh", "tan", "tanh", "tgamma"),
)
_LIBRARY_BINARY = ("atan2", "hypot", "pow", "remainder")


def _rows() -> Iterator[MathFunction]:
    for name in ("ceil", "fabs", "floor", "rint", "round", "sqrt", "trunc"):
        yield _instruction(name, "T", f"{name}.{{S}}")
    yield _instruction("copysign", "TT", "copysign.{S}")
    yield _instruction("fmax", "TT", "maxnum.{S}")
    yield _instruction("fmin", "TT", "minnum.{S}")
    yield _instruction("fma", "TTT", "fma.{S}")
    yield _instruction("mad", "TTT", "fmuladd.{S}")
    yield _instruction("ldexp", "Ti", "ldexp.{S}.i32")

    yield _everywhere("degrees", "T", _DEGREES)
    yield _everywhere("radians", "T", _RADIANS)
    yield _everywhere("sign", "T", _SIGN)
    yield _everywhere("step", "TT", _STEP)
    yield _everywhere("fmin_common", "TT", _FMIN_COMMON)
    yield _everywhere("fmax_common", "TT", _FMAX_COMMON)
    yield _everywhere("fdim", "TT", _FDIM)
    yield _everywhere("fclamp", "TTT", _FCLAMP)
    yield _everywhere("mix", "TTT", _MIX)
    yield _everywhere("smoothstep", "TTT", _SMOOTHSTEP)

    yield _class_predicate("IsNan", 0x003)
    yield _class_predicate("IsInf", 0x204)
    yield _class_predicate("IsFinite", 0x1F8)
    yield _class_predicate("IsNormal", 0x108)
    yield _predicate("SignBitSet", _SIGN_BIT)

    yield from (_from_libraries(name, "T") for name in _LIBRARY_UNARY)
    yield from (_from_libraries(name, "TT") for name in _LIBRARY_BINARY)
    yield from map(_expanded_for_amd, ("exp", "exp10", "log", "log10", "log2"))
    # The error of NVIDIA's instruction is at most 2 ulp.
    exp2 = Implementation(_call("llvm.exp2.f32", "T"), ("float",))
    yield _expanded_for_amd("exp2")._replace(
        implementations={
            **_expanded_for_amd("exp2").implementations,
            IRFamily.NVPTX64: (_libdevice(_call("__nv_exp2{F}", "T")), exp2),
        }
    )
    # LLVM's `frem` for NVIDIA's GPUs is correct for small quotients only.
    remainder = Implementation("%r = frem {T} %a, %b\nret {T} %r")
    yield _from_libraries("fmod", "TT", amd_fallback=(remainder,))
    rsqrt = (Implementation(_RSQRT),)
    yield _from_libraries("rsqrt", "T", nvidia_fallback=rsqrt, amd_fallback=rsqrt)
    yield _from_libraries("powr", "TT", nvidia=(_libdevice(_POWR),))
    pown = (_libdevice(_POWN_FLOAT, ("float",)), _libdevice(_POWN_DOUBLE, ("double",)))
    yield _from_libraries("pown", "Ti", nvidia=pown)

    yield from _fast_rows()
    # `half_` functions may be off by 8192 ulp. Near roots, `native_` forms of these exceed that.
    for name in ("cos", "log", "log10", "log2", "sin", "tan"):
        yield _half_precision(name, "T", name)
    yield _half_precision("powr", "TT", "powr")
    for name in ("exp", "exp10", "exp2", "recip", "rsqrt", "sqrt"):
        yield _half_precision(name, "T", f"native_{name}")
    yield _half_precision("divide", "TT", "native_divide")


def _fast_rows() -> Iterator[MathFunction]:
    for name in ("cos", "exp2", "sin", "sqrt"):
        yield _fast(name, _call(f"llvm.{name}.f32", "T", "afn "))
    yield _fast(
        "log2",
        _call("llvm.log2.f32", "T", "afn "),
        nvidia=_call("llvm.nvvm.lg2.approx.f", "T"),
    )
    yield _fast("log", _fast_multiple("native_log2", 0.69314718055994531))
    yield _fast("log10", _fast_multiple("native_log2", 0.30102999566398120))
    yield _fast("exp", _fast_power(1.4426950408889634))
    yield _fast("exp10", _fast_power(3.3219280948873623))
    yield _fast("recip", _fast_quotient("{number:1}", "%a"))
    yield _fast("divide", _fast_quotient("%a", "%b"))
    yield _fast(
        "rsqrt",
        "%root = call contract afn float @llvm.sqrt.f32(float %a)\n"
        "%r = fdiv contract arcp afn float {number:1}, %root\nret float %r",
        nvidia=_call("llvm.nvvm.rsqrt.approx.f", "T"),
    )
    yield _fast(
        "tan",
        "%sin = call float @{native_sin}(float %a)\n%cos = call float @{native_cos}(float %a)\n"
        + _fast_quotient("%sin", "%cos"),
    )
    yield _fast(
        "powr",
        "%log = call float @{native_log2}(float %a)\n%x = fmul float %b, %log\n"
        "%r = call afn float @llvm.exp2.f32(float %x)\nret float %r",
    )


FUNCTIONS = {row.name: row for row in _rows()}
"""All functions, by name."""

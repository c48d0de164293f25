"""What each function on numbers is on NVIDIA's and AMD's GPUs: one row a function.

A row has, for each family, ways to compute the function, the best first. A way is LLVM IR. In it
stand

    {T}           the type: half, float or double       {I}    an integer of its size
    {S}           the type in names of intrinsics: f32  {F}    its suffix in libdevice
    {number:1.5}  a constant of the type                {pow}  another function of this table

and the arguments are %a, %b and %c. Ways without a library are as exact as SYCL demands, and only
stand for types that LLVM has code for.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from dovetail.targets.ir_family import IRFamily

ALL_TYPES = ("half", "float", "double")


class Way(NamedTuple):
    """One way to compute a function."""

    body: str
    types: tuple[str, ...] = ALL_TYPES
    needs_library: bool = False


class Function(NamedTuple):
    """One function."""

    name: str
    """What follows `__spirv_ocl_`, or `__spirv_` for a question."""
    parameters: str
    """A letter each: T for the type, i for an int."""
    ways: Mapping[IRFamily, tuple[Way, ...]]
    types: tuple[str, ...] = ALL_TYPES
    is_question: bool = False
    """Whether the result is a bool."""


def _arguments(parameters: str) -> str:
    types = {"T": "{T}", "i": "i32"}
    return ", ".join(f"{types[p]} %{n}" for p, n in zip(parameters, "abc", strict=False))


def _call(callee: str, parameters: str, flags: str = "") -> str:
    return f"%r = call {flags}{{T}} @{callee}({_arguments(parameters)})\nret {{T}} %r"


def _everywhere(name: str, parameters: str, body: str) -> Function:
    """The same code for both families."""
    ways = (Way(body),)
    return Function(name, parameters, {IRFamily.NVPTX64: ways, IRFamily.AMDGCN: ways})


def _instruction(name: str, parameters: str, intrinsic: str) -> Function:
    """What both families have instructions for, or LLVM an exact expansion."""
    return _everywhere(name, parameters, _call(f"llvm.{intrinsic}", parameters))


def _question(name: str, body: str) -> Function:
    return _everywhere(name, "T", body + "\nret i1 %r")._replace(is_question=True)


def _class_question(name: str, classes: int) -> Function:
    """One that LLVM answers; the bits of the classes are its own."""
    return _question(name, f"%r = call i1 @llvm.is.fpclass.{{S}}({{T}} %a, i32 {classes})")


def _libdevice(body: str, types: tuple[str, ...] = ("float", "double")) -> Way:
    """NVIDIA's library has no functions for half; it is computed in float."""
    return Way(body, types, needs_library=True)


def _ocml(name: str, parameters: str) -> Way:
    return Way(_call(f"__ocml_{name}_{{S}}", parameters), needs_library=True)


def _from_libraries(
    name: str,
    parameters: str,
    *,
    nvidia: tuple[Way, ...] = (),
    nvidia_own: tuple[Way, ...] = (),
    amd_own: tuple[Way, ...] = (),
) -> Function:
    """What libraries compute, under the same name unless `nvidia` says otherwise.

    The others are what there is without the library.
    """
    by_name = (_libdevice(_call(f"__nv_{name}{{F}}", parameters)),)
    ways = {
        IRFamily.NVPTX64: (*(nvidia or by_name), *nvidia_own),
        IRFamily.AMDGCN: (_ocml(name, parameters), *amd_own),
    }
    return Function(name, parameters, ways)


def _expanded_for_amd(name: str) -> Function:
    """LLVM has code as good as the library's for half and float on AMD's GPUs."""
    own = Way(_call(f"llvm.{name}.{{S}}", "T"), ("half", "float"))
    return _from_libraries(name, "T", amd_own=(own,))


def _fast(name: str, body: str, *, nvidia: str = "") -> Function:
    """A form of less precision, which is what the hardware computes."""
    both = _everywhere(f"native_{name}", "TT" if "%b" in body else "T", body)
    ways = both.ways if not nvidia else {**both.ways, IRFamily.NVPTX64: (Way(nvidia),)}
    return both._replace(ways=ways, types=("float",))


def _half_precision(name: str, parameters: str, way: str) -> Function:
    row = _everywhere(f"half_{name}", parameters, _call(f"{{{way}}}", parameters))
    return row._replace(types=("float",))


# What no GPU's instruction nor library computes as it is.

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

# If one is no number, neither is the difference.
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

# `powr` is the power of a number that is not negative, and differs from `pow` at the edges.
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

# Libdevice's own powers of integers multiply again and again, which is too far off for large ones.
_POWN_DOUBLE = """\
%exponent = sitofp i32 %b to double
%r = call double @{pow}(double %a, double %exponent)
ret double %r"""

# A float holds no integer of 31 bits, so the exponent is split in two of the same sign.
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


def _rows() -> Iterator[Function]:
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

    yield _class_question("IsNan", 0x003)
    yield _class_question("IsInf", 0x204)
    yield _class_question("IsFinite", 0x1F8)
    yield _class_question("IsNormal", 0x108)
    yield _question("SignBitSet", _SIGN_BIT)

    yield from (_from_libraries(name, "T") for name in _LIBRARY_UNARY)
    yield from (_from_libraries(name, "TT") for name in _LIBRARY_BINARY)
    yield from map(_expanded_for_amd, ("exp", "exp10", "log", "log10", "log2"))
    # NVIDIA's instruction for it is off by 2 ulp at most.
    exp2 = Way(_call("llvm.exp2.f32", "T"), ("float",))
    yield _expanded_for_amd("exp2")._replace(
        ways={
            **_expanded_for_amd("exp2").ways,
            IRFamily.NVPTX64: (_libdevice(_call("__nv_exp2{F}", "T")), exp2),
        }
    )
    # Of a remainder, LLVM's code for NVIDIA's GPUs is right for small quotients alone.
    remainder = Way("%r = frem {T} %a, %b\nret {T} %r")
    yield _from_libraries("fmod", "TT", amd_own=(remainder,))
    rsqrt = (Way(_RSQRT),)
    yield _from_libraries("rsqrt", "T", nvidia_own=rsqrt, amd_own=rsqrt)
    yield _from_libraries("powr", "TT", nvidia=(_libdevice(_POWR),))
    pown = (_libdevice(_POWN_FLOAT, ("float",)), _libdevice(_POWN_DOUBLE, ("double",)))
    yield _from_libraries("pown", "Ti", nvidia=pown)

    yield from _fast_rows()
    # Forms that are right to 8192 ulp; what the hardware computes is, but not near roots.
    for name in ("cos", "log", "log10", "log2", "sin", "tan"):
        yield _half_precision(name, "T", name)
    yield _half_precision("powr", "TT", "powr")
    for name in ("exp", "exp10", "exp2", "recip", "rsqrt", "sqrt"):
        yield _half_precision(name, "T", f"native_{name}")
    yield _half_precision("divide", "TT", "native_divide")


def _fast_rows() -> Iterator[Function]:
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
"""By name."""

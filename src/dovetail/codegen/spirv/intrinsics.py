"""Implementations of LLVM intrinsics that its SPIR-V back-end does not support.

LLVM recognizes idioms: a loop that reverses the bits of an integer becomes one intrinsic.
Intrinsics that the back-end cannot compile, or compiles to instructions that are slow or that
Intel's CPU runtime lacks, are replaced by function bodies or by calls of equivalent OpenCL
functions.
`tests/device/programs/test_intrinsics.py` compares all of clang's builtins with the host.
"""

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from dovetail.ir import Module, link_definitions

_INTRINSIC = re.compile(r"llvm\.([a-z.]+?)\.((?:i64\.)?)(?:v([0-9]+))?([if])([0-9]+)((?:\.i32)?)")
_FMULADD = re.compile(r"llvm\.fmuladd\.(?:v(2|3|4|8|16))?f(16|32|64)")

_FLOATS = {16: "half", 32: "float", 64: "double"}
_MANGLED = {16: "DF16_", 32: "f", 64: "d"}
_INTEGERS = {
    ("s", 8): "a",
    ("s", 16): "s",
    ("s", 32): "i",
    ("s", 64): "l",
    ("u", 8): "h",
    ("u", 16): "t",
    ("u", 32): "j",
    ("u", 64): "m",
}
"""The manglings of types in the Itanium C++ ABI."""


class _Type(NamedTuple):
    """The operand type of an intrinsic: a scalar or a vector."""

    length: int
    """1 for a scalar."""
    kind: str
    """`i` or `f`."""
    width: int

    @property
    def element(self) -> str:
        return f"i{self.width}" if self.kind == "i" else _FLOATS[self.width]

    @property
    def text(self) -> str:
        return self._of(self.element)

    @property
    def boolean(self) -> str:
        """The result type of comparisons."""
        return self._of("i1")

    @property
    def bits(self) -> "_Type":
        """Integers of the same width."""
        return self._replace(kind="i")

    @property
    def zero(self) -> str:
        return "0" if self.length == 1 else "zeroinitializer"

    def value(self, number: int | str) -> str:
        """Return a constant of the type."""
        return str(number) if self.length == 1 else f"splat ({self.element} {number})"

    def _of(self, element: str) -> str:
        return element if self.length == 1 else f"<{self.length} x {element}>"


def _bitreverse(t: _Type) -> str:
    """Swap neighboring bits, then pairs of bits, and so on."""
    lines: list[str] = []
    value, step = "%a", 1
    while step < t.width:
        low = sum(1 << bit for bit in range(t.width) if not bit & step)
        n, mask, by = f"%s{step}", t.value(low), t.value(step)
        lines += [
            f"{n}.h = lshr {t.text} {value}, {by}",
            f"{n}.a = and {t.text} {n}.h, {mask}",
            f"{n}.l = and {t.text} {value}, {mask}",
            f"{n}.b = shl {t.text} {n}.l, {by}",
            f"{n} = or {t.text} {n}.a, {n}.b",
        ]
        value, step = n, 2 * step
    return _function(t.text, [t.text], lines, value)


def _overflow(operation: str, lines: Callable[[_Type], list[str]]) -> Callable[[_Type], str]:
    """Return a body for an operation with an overflow flag; `lines` compute the flag as `%o`."""

    def body(t: _Type) -> str:
        result = f"{{ {t.text}, {t.boolean} }}"
        computed = [
            f"%s = {operation} {t.text} %a, %b",
            *lines(t),
            f"%p = insertvalue {result} poison, {t.text} %s, 0",
            f"%r = insertvalue {result} %p, {t.boolean} %o, 1",
        ]
        return _function(result, [t.text, t.text], computed, "%r")

    return body


def _signed_overflow(other: str) -> Callable[[_Type], list[str]]:
    """Return the overflow flag of a sum or difference of signed integers.

    A sum overflows if its sign differs from those of both operands. A difference overflows if the
    operands' signs differ, and its own differs from that of the first.
    """

    def lines(t: _Type) -> list[str]:
        return [
            f"%x = xor {t.text} %a, %s",
            f"%y = xor {t.text} %b, {other}",
            f"%both = and {t.text} %x, %y",
            f"%o = icmp slt {t.text} %both, {t.value(0)}",
        ]

    return lines


def _less(left: str, right: str) -> Callable[[_Type], list[str]]:
    return lambda t: [f"%o = icmp ult {t.text} {left}, {right}"]


def _product(sign: str) -> Callable[[_Type], str]:
    """Return a body for a product, which overflows if its upper half is not the extension of the
    lower half.
    """

    def body(t: _Type) -> str:
        name = f"@{_mul_hi(sign, t)}"

        def lines(t: _Type) -> list[str]:
            return [
                f"%h = call spir_func {t.text} {name}({t.text} %a, {t.text} %b)",
                f"%sign = ashr {t.text} %s, {t.value(t.width - 1)}",
                f"%o = icmp ne {t.text} %h, {'%sign' if sign == 's' else t.zero}",
            ]

        declaration = f"declare spir_func {t.text} {name}({t.text}, {t.text})\n"
        return declaration + _overflow("mul", lines)(t)

    return body


def _mul_hi(sign: str, t: _Type) -> str:
    """Return the name that the back-end maps to OpenCL's function for a product's upper half."""
    letter = _INTEGERS[sign, t.width]
    operands = 2 * letter if t.length == 1 else f"Dv{t.length}_{letter}S_"
    return f"_Z20__spirv_ocl_{sign}_mul_hi{operands}"


def _shift(back: str, limits: Callable[[_Type], list[str]]) -> Callable[[_Type], str]:
    """Return a body for a saturating left shift: it saturates if shifting back differs."""

    def body(t: _Type) -> str:
        lines = [
            f"%s = shl {t.text} %a, %b",
            f"%u = {back} {t.text} %s, %b",
            f"%same = icmp eq {t.text} %u, %a",
            *limits(t),
            f"%r = select {t.boolean} %same, {t.text} %s, {t.text} %limit",
        ]
        return _function(t.text, [t.text, t.text], lines, "%r")

    return body


def _signed_limit(t: _Type) -> list[str]:
    """Return the saturation limit: the largest value, or the smallest for negative operands."""
    return [
        f"%sign = ashr {t.text} %a, {t.value(t.width - 1)}",
        f"%limit = xor {t.text} %sign, {t.value((1 << t.width - 1) - 1)}",
    ]


def _unsigned_limit(t: _Type) -> list[str]:
    return [f"%limit = xor {t.text} {t.value(0)}, {t.value(-1)}"]


def _extreme(intrinsic: str, sign_instruction: str, *, keeps_nan: bool) -> Callable[[_Type], str]:
    """Return a body for a minimum or maximum that distinguishes the signs of zeros.

    For two zeros, `sign_instruction` (`or` or `and`) combines their bits into the result's sign.

    OpenCL's functions may return either of two zeros. If one operand is NaN, they return the other;
    with `keeps_nan` the result is NaN.
    """

    def body(t: _Type) -> str:
        bits = t.bits.text
        name = f"@llvm.{intrinsic}.{_suffix(t)}"
        lines = [
            f"%m = call {t.text} {name}({t.text} %a, {t.text} %b)",
            f"%x = bitcast {t.text} %a to {bits}",
            f"%y = bitcast {t.text} %b to {bits}",
            f"%z = {sign_instruction} {bits} %x, %y",
            f"%w = bitcast {bits} %z to {t.text}",
            f"%same = fcmp oeq {t.text} %a, %b",
            f"%r = select {t.boolean} %same, {t.text} %w, {t.text} %m",
            # If an operand is NaN, the sum is a NaN that can be returned.
            f"%sum = fadd {t.text} %a, %b",
            f"%nan = fcmp uno {t.text} %a, %b",
            f"%n = select {t.boolean} %nan, {t.text} %sum, {t.text} %r",
        ]
        declaration = f"declare {t.text} {name}({t.text}, {t.text})\n"
        result = "%n" if keeps_nan else "%r"
        return declaration + _function(t.text, [t.text, t.text], lines, result)

    return body


def _canonicalize(t: _Type) -> str:
    lines = [f"%r = fmul {t.text} %a, {t.value('1.0')}"]
    return _function(t.text, [t.text], lines, "%r")


def _round_to_long(t: _Type) -> str:
    name = f"@llvm.rint.{_suffix(t)}"
    lines = [f"%f = call {t.text} {name}({t.text} %a)", f"%r = fptosi {t.text} %f to i64"]
    return f"declare {t.text} {name}({t.text})\n" + _function("i64", [t.text], lines, "%r")


_BODIES: dict[str, Callable[[_Type], str]] = {
    "bitreverse": _bitreverse,
    "sadd.with.overflow": _overflow("add", _signed_overflow("%s")),
    "ssub.with.overflow": _overflow("sub", _signed_overflow("%a")),
    "uadd.with.overflow": _overflow("add", _less("%s", "%a")),
    "usub.with.overflow": _overflow("sub", _less("%a", "%b")),
    "smul.with.overflow": _product("s"),
    "umul.with.overflow": _product("u"),
    "sshl.sat": _shift("ashr", _signed_limit),
    "ushl.sat": _shift("lshr", _unsigned_limit),
    "canonicalize": _canonicalize,
    "minimum": _extreme("minnum", "or", keeps_nan=True),
    "maximum": _extreme("maxnum", "and", keeps_nan=True),
    "minimumnum": _extreme("minnum", "or", keeps_nan=False),
    "maximumnum": _extreme("maxnum", "and", keeps_nan=False),
    "lrint": _round_to_long,
    "llrint": _round_to_long,
}


_BOOLEAN_BODIES = {
    **dict.fromkeys(("smin", "umax", "uadd.sat", "sadd.sat"), "or {0} %a, %b"),
    **dict.fromkeys(("smax", "umin"), "and {0} %a, %b"),
    **dict.fromkeys(("usub.sat", "ssub.sat"), "and {0} %a, %not"),
    **dict.fromkeys(("ctlz", "cttz"), "xor {0} %a, {1}"),
    **dict.fromkeys(("abs", "ctpop", "bitreverse", "fshl"), "or {0} %a, %a"),
    "fshr": "or {0} %b, %b",
}
"""Intrinsics of 1-bit integers, which LLVM's passes create from comparisons. As signed integers,
these are 0 and -1."""
_FLAGGED = ("abs", "ctlz", "cttz")
"""Intrinsics with a flag as last operand: whether the result may be poison."""


def _boolean(name: str, t: _Type) -> str:
    """Return a body for an intrinsic of integers of one bit."""
    instruction = _BOOLEAN_BODIES[name]
    ones = t.value("true")
    lines = [f"%not = xor {t.text} %b, {ones}"] if "%not" in instruction else []
    lines.append(f"%r = {instruction.format(t.text, ones)}")
    others = {"fshl": [t.text] * 2, "fshr": [t.text] * 2, "ctpop": [], "bitreverse": []}
    more = ["i1"] if name in _FLAGGED else others.get(name, [t.text])
    return _function(t.text, [t.text, *more], lines, "%r")


def contract_with_mad(module: Module) -> None:
    """Replace `llvm.fmuladd` by OpenCL's `mad`, for all types that OpenCL supports.

    C++ allows rounding `a * b + c` once instead of twice, and the intrinsic leaves the choice to
    the device, like `mad`. The back-end would emit OpenCL's `fma`, which must round once, and which
    devices without such an instruction compute in software.
    """
    names = (function.name for function in module.functions())
    found = filter(None, map(_FMULADD.fullmatch, names))
    module.rename({match[0]: _mad_name(int(match[2]), match[1]) for match in found})


def _mad_name(width: int, length: str | None) -> str:
    """Return the name that the back-end maps to `mad`.

    The suffix after the dot is ignored, as in names of LLVM's clones. It distinguishes this
    function from a `mad` that the source calls.
    """
    element = _MANGLED[width]
    parameters = f"Dv{length}_{element}S_S_" if length else 3 * element
    return f"_Z15__spirv_ocl_mad{parameters}.contracted"


def replace_intrinsics(module: Module) -> None:
    """Replace the intrinsics in a module that need it."""
    matches = [m for f in module.functions() if (m := _INTRINSIC.fullmatch(f.name))]
    renamed = {m[0]: name for m in matches if m[1] == "ldexp" and (name := _opencl_ldexp(m))}
    bodies = {m[0]: body for m in matches if (body := _body_of(m[1], _type_of(m)))}
    names = {intrinsic: f"__dovetail{intrinsic.removeprefix('llvm')}" for intrinsic in bodies}
    module.rename(renamed | names)
    if not bodies:
        return
    link_definitions(
        module, _joined({names[key]: body for key, body in bodies.items()}), "intrinsics"
    )
    module.set_linkage(dict.fromkeys(names.values(), "internal"))
    module.inline_functions(list(names.values()))
    # Not a pass that would recognize the idiom again.
    module.run_passes("function(instsimplify)")


def _body_of(name: str, t: _Type) -> str:
    """Return the body of an intrinsic for operands of a type; empty if it needs none."""
    if t.element == "i1" and name in _BOOLEAN_BODIES:
        return _boolean(name, t)
    return _BODIES[name](t) if name in _BODIES else ""


def _joined(bodies: Mapping[str, str]) -> str:
    """Return one module with all bodies by name, in which each function is declared once."""
    lines = "".join(body.replace("@NAME", f"@{name}") for name, body in bodies.items()).splitlines()
    declarations = dict.fromkeys(line for line in lines if line.startswith("declare "))
    return "\n".join([*declarations, *(line for line in lines if line not in declarations)])


def _type_of(match: re.Match[str]) -> _Type:
    return _Type(int(match[3] or 1), match[4], int(match[5]))


def _suffix(t: _Type) -> str:
    return (f"v{t.length}" if t.length > 1 else "") + t.kind + str(t.width)


def _opencl_ldexp(match: re.Match[str]) -> str | None:
    """Return the name that the back-end maps to OpenCL's function of the same name, if any."""
    t = _type_of(match)
    if t.length > 1:
        return None
    return f"_Z17__spirv_ocl_ldexp{_MANGLED[t.width]}i.intrinsic"


def _function(result: str, parameters: list[str], lines: list[str], value: str) -> str:
    declared = ", ".join(f"{type_} %{name}" for type_, name in zip(parameters, "abc", strict=False))
    body = "\n  ".join([*lines, f"ret {result} {value}"])
    return f"define linkonce_odr {result} @NAME({declared}) {{\n  {body}\n}}\n"

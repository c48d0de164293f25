"""The scalar types of random kernels, conversions between them, and their constants."""

from __future__ import annotations

from random import Random

from differential.model import Expression, Literal, Operation, Scalar

BOOL = Scalar("bool", 8, "bool")
I8 = Scalar("i8", 8, "signed")
I16 = Scalar("i16", 16, "signed")
I32 = Scalar("i32", 32, "signed")
I64 = Scalar("i64", 64, "signed")
U8 = Scalar("u8", 8, "unsigned")
U16 = Scalar("u16", 16, "unsigned")
U32 = Scalar("u32", 32, "unsigned")
U64 = Scalar("u64", 64, "unsigned")
HALF = Scalar("half", 16, "floating")
FLOAT = Scalar("float", 32, "floating")
DOUBLE = Scalar("double", 64, "floating")

SIGNED = (I8, I16, I32, I64)
UNSIGNED = (U8, U16, U32, U64)
INTEGERS = SIGNED + UNSIGNED
FLOATING = (HALF, FLOAT, DOUBLE)
SCALARS = (*INTEGERS, BOOL, *FLOATING)


def arithmetic_type(scalar: Scalar) -> str:
    """Return the unsigned type in which sums and products of `scalar` cannot overflow.

    Types of less than 32 bits would be promoted to `int`, whose overflow is undefined.
    """
    return "u64" if scalar.bits == 64 else "u32"


def convert(expression: Expression, to: Scalar) -> Expression:
    """Return the expression as another scalar type, with a defined result for every value."""
    from_ = expression.type
    if not isinstance(from_, Scalar):
        raise TypeError(f"expected a scalar, got {from_}")
    if from_ == to:
        return expression
    return Operation(_conversion(from_, to), (expression,), to)


def _conversion(from_: Scalar, to: Scalar) -> str:
    if to.kind == "bool":
        return f"({{0}} != {zero(from_).text})"
    if from_.kind == "floating" and to.is_integer:
        return f"to_integer<{to.name}>({{0}})"
    # Through float: half has no direct conversions from integers and double.
    if to == HALF and from_ != FLOAT:
        return "half(float({0}))"
    if from_ == HALF and to != FLOAT:
        return f"{to.name}(float({{0}}))"
    return f"{to.name}({{0}})"


def zero(scalar: Scalar) -> Literal:
    """Return the constant zero."""
    return literal(scalar, 0)


def literal(scalar: Scalar, value: int) -> Literal:
    """Return a constant; floating-point values are in quarters."""
    if scalar.kind == "bool":
        return Literal("true" if value else "false", scalar, bool(value))
    if scalar == HALF:
        return Literal(f"half({value / 4}f)", scalar, value / 4)
    if scalar.kind == "floating":
        suffix = "f" if scalar == FLOAT else ""
        return Literal(f"({value / 4}{suffix})", scalar, value / 4)
    value &= (1 << scalar.bits) - 1
    if scalar.kind == "signed" and value >> (scalar.bits - 1):
        value -= 1 << scalar.bits
    return Literal(_integer_text(scalar, value), scalar, value)


def _integer_text(scalar: Scalar, value: int) -> str:
    if scalar == U32:
        return f"{value}u"
    if scalar == U64:
        return f"{value}ul"
    if scalar == I32:
        return f"({value})" if value > -(1 << 31) else "(-2147483647 - 1)"
    if scalar == I64:
        return f"({value}l)" if value > -(1 << 63) else "(-9223372036854775807l - 1)"
    return f"{scalar.name}({value})"


def random_literal(random: Random, scalar: Scalar) -> Literal:
    """Return a constant: small, at a limit of its type, or any value."""
    if scalar.kind in ("bool", "floating"):
        return literal(scalar, random.randint(0, 1) if scalar == BOOL else random.randint(-40, 40))
    bits = scalar.bits
    limits = (0, 1, -1, 1 << (bits - 1), (1 << (bits - 1)) - 1, 1 << random.randrange(bits))
    choice = random.random()
    if choice < 0.45:
        return literal(scalar, random.randint(-9, 20))
    if choice < 0.75:
        return literal(scalar, random.choice(limits))
    return literal(scalar, random.getrandbits(bits))

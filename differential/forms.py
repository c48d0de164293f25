"""The operations of random expressions, as format strings; each text is a primary expression.

No operation has undefined behavior for any operands: integer arithmetic uses unsigned types, shift
amounts are reduced, divisors and conversions are guarded. Only floating-point operations that IEEE
754 rounds correctly are used, so that device and host agree in every bit.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from differential.model import Scalar
from differential.scalars import (
    BOOL,
    DOUBLE,
    FLOATING,
    I32,
    INTEGERS,
    U32,
    arithmetic_type,
    literal,
)


@dataclass(frozen=True)
class Form:
    """An operation: its format string, the types of its operands, and its construct."""

    text: str
    operands: tuple[Scalar, ...]
    construct: str = "arithmetic"
    simple_operands: bool = False
    """Whether operands are printed more than once, and so must be short."""


def random_form(random: Random, result: Scalar) -> Form:
    """Return an operation with a result of this type."""
    if result == BOOL:
        return _comparison(random)
    if result.kind == "floating":
        return random.choice(_floating_forms(result))
    return random.choice(_integer_forms(result))


def _comparison(random: Random) -> Form:
    type_ = random.choice((*INTEGERS, *FLOATING))
    operator = random.choice(("<", "<=", ">", ">=", "==", "!="))
    logical = (
        Form("({0} && {1})", (BOOL, BOOL), "bool"),
        Form("({0} || {1})", (BOOL, BOOL), "bool"),
        Form("(!{0})", (BOOL,), "bool"),
        Form("({0} != {1})", (BOOL, BOOL), "bool"),
        Form("bool({0} & {1})", (BOOL, BOOL), "bool"),
    )
    compared = Form(f"({{0}} {operator} {{1}})", (type_, type_), "comparison")
    return random.choice(logical) if random.random() < 0.3 else compared


def _select(type_: Scalar) -> Form:
    return Form("({0} ? {1} : {2})", (BOOL, type_, type_), "select")


def _floating_forms(type_: Scalar) -> list[Form]:
    name, pair, construct = type_.name, (type_, type_), type_.name
    forms = [Form(f"{name}({{0}} {each} {{1}})", pair, construct) for each in "+-*"]
    forms += [
        Form(f"{name}(-{{0}})", (type_,), construct),
        Form(f"({{0}} < {name}(0.0f) ? {name}(-{{0}}) : {{0}})", (type_,), construct, True),
        Form("smaller({0}, {1})", pair, construct),
        Form("larger({0}, {1})", pair, construct),
        Form("bounded({0}, {1}, {2})", (type_,) * 3, construct),
        _select(type_),
    ]
    if type_ == DOUBLE:
        forms.append(Form("double({0} / {1})", pair, "floating-division"))
    return forms


def _integer_forms(type_: Scalar) -> list[Form]:
    name, wide, pair, bits = type_.name, arithmetic_type(type_), (type_, type_), type_.bits
    forms = [Form(f"{name}({wide}({{0}}) {each} {wide}({{1}}))", pair) for each in "+-*"]
    forms += [Form(f"{name}({{0}} {each} {{1}})", pair, "bitwise") for each in "&|^"]
    forms += [
        Form(f"{name}(-{wide}({{0}}))", (type_,)),
        Form(f"{name}(~{{0}})", (type_,), "bitwise"),
        Form(f"{name}({wide}({{0}}) << ({{1}} % {bits}))", (type_, U32), "shift"),
        Form(f"{name}({{0}} >> ({{1}} % {bits}))", (type_, U32), "shift"),
        Form(f"{name}({{0}} + {{1}} * 2u)", (BOOL, BOOL), "bool"),
        _select(type_),
        _select(type_),
        Form(f"divide<{name}>({{0}}, {{1}})", pair, "division"),
        Form(f"remainder<{name}>({{0}}, {{1}})", pair, "division"),
        *_guarded_divisions(type_),
    ]
    return forms + _idioms(type_)


def _guarded_divisions(type_: Scalar) -> list[Form]:
    guard = "{1} == 0"
    if type_.kind == "signed":
        lowest = literal(type_, 1 << (type_.bits - 1)).text
        guard = f"({{1}} == 0 || ({{0}} == {lowest} && {{1}} == -1))"
    name, pair = type_.name, (type_, type_)
    return [
        Form(f"({guard} ? {{1}} : {name}({{0}} {each} {{1}}))", pair, "guarded-division", True)
        for each in "/%"
    ]


def _idioms(type_: Scalar) -> list[Form]:
    """Return hand-written idioms that optimizers recognize."""
    pair = (type_, type_)
    unary = ("reverse_bits", "swap_bytes", "count_ones", "leading_zeros", "trailing_zeros")
    forms = [Form(f"{each}({{0}})", (type_,), each.replace("_", "-")) for each in unary]
    binary = ("smaller", "larger", "add_saturated", "subtract_saturated", "absolute_difference")
    forms += [Form(f"{each}({{0}}, {{1}})", pair, each.replace("_", "-")) for each in binary]
    forms += [
        Form("rotate_left({0}, {1})", (type_, U32), "rotate"),
        Form("funnel_shift({0}, {1}, {2})", (*pair, U32), "funnel-shift"),
        Form("bounded({0}, {1}, {2})", (type_,) * 3, "bounded"),
    ]
    if type_.kind == "signed":
        forms.append(Form("absolute({0})", (type_,), "absolute"))
    if type_ == U32:
        forms += [
            Form("multiply_high({0}, {1})", pair, "multiply-high"),
            Form("reverse_bits_by_swaps({0})", (type_,), "reverse-bits"),
            Form("greatest_common_divisor({0}, {1})", pair, "greatest-common-divisor"),
        ]
    if type_ == I32:
        forms.append(Form("multiply_high_signed({0}, {1})", pair, "multiply-high"))
    return forms

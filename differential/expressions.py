"""Random expressions of the variables and functions in scope."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from random import Random

from differential.forms import random_form
from differential.model import (
    POINTER_LENGTH,
    Array,
    Expression,
    Function,
    Operation,
    Parameter,
    Pointer,
    Scalar,
    Struct,
    Type,
    Variable,
    Vector,
)
from differential.scalars import FLOATING, U32, convert, literal, random_literal


@dataclass(frozen=True)
class Scope:
    """The names that are visible at a point of a kernel or function."""

    variables: tuple[Variable, ...]
    functions: tuple[Function, ...] = ()
    loops: int = 0
    """The number of enclosing loops of the function."""
    depth: int = 0
    """The number of enclosing statements."""

    def declaring(self, *variables: Variable) -> Scope:
        """Return this scope with more variables."""
        return replace(self, variables=self.variables + variables)

    def inside(self, *, loop: bool = False) -> Scope:
        """Return the scope of the body of a statement."""
        return replace(self, depth=self.depth + 1, loops=self.loops + loop)


@dataclass
class Expressions:
    """Generates expressions and records the constructs that it uses."""

    random: Random
    without: frozenset[str] = frozenset()
    constructs: set[str] = field(default_factory=set)

    def allows(self, construct: str) -> bool:
        """Return whether a construct may be used; if so, record it."""
        if construct in self.without:
            return False
        self.constructs.add(construct)
        return True

    def scalar(self, scope: Scope, type_: Scalar, depth: int = 2) -> Expression:
        """Return an expression of this type."""
        if depth <= 0 or self.random.random() < 0.15:
            return self.leaf(scope, type_)
        if self.random.random() < 0.2:
            called = self.call(scope, depth - 1)
            if called is not None:
                return convert(called, type_)
        form = random_form(self.random, type_)
        if any(each in FLOATING and each.name in self.without for each in form.operands):
            return self.leaf(scope, type_)
        if not self.allows(form.construct):
            return self.leaf(scope, type_)
        if form.simple_operands:
            operands = [self.simple(scope, each) for each in form.operands]
        else:
            operands = [self.scalar(scope, each, depth - 1) for each in form.operands]
        return Operation(form.text, tuple(operands), type_)

    def leaf(self, scope: Scope, type_: Scalar) -> Expression:
        """Return a constant or a converted variable."""
        if self.random.random() < 0.25:
            return random_literal(self.random, type_)
        return convert(self.place(scope, scope.variables), type_)

    def simple(self, scope: Scope, type_: Scalar) -> Expression:
        """Return a short expression, for operands that are printed more than once."""
        fitting = [each for each in scope.variables if each.type == type_]
        if fitting and self.random.random() < 0.7:
            return self.random.choice(fitting)
        return self.leaf(scope, type_)

    def place(self, scope: Scope, variables: Sequence[Variable]) -> Expression:
        """Return a scalar variable, or a scalar part of a variable."""
        # Prefer the latest declarations, so that results depend on each other.
        newest = max(self.random.randrange(len(variables)) for _ in range(2))
        found: Expression = variables[newest]
        while not isinstance(found.type, Scalar):
            found = self._part(scope, found)
        return found

    def _part(self, scope: Scope, whole: Expression) -> Expression:
        type_ = whole.type
        if isinstance(type_, Struct):
            chosen = self.random.choice(type_.fields)
            return Operation(f"{{0}}.{chosen.name}", (whole,), chosen.type)
        assert not isinstance(type_, Scalar)
        length = POINTER_LENGTH if isinstance(type_, Pointer) else type_.length
        index = self._index(scope, length)
        # The form contains the bound, so that the index stays valid when the shrinker changes it.
        if isinstance(index, int):
            return Operation(f"{{0}}[{index}]", (whole,), type_.element)
        return Operation(f"{{0}}[{{1}} % {length}]", (whole, index), type_.element)

    def _index(self, scope: Scope, length: int) -> Expression | int:
        """Return a constant below `length`, or any expression."""
        variables = [each for each in scope.variables if each.type == U32]
        if not variables or self.random.random() < 0.4:
            return self.random.randrange(length)
        chosen: Expression = self.random.choice(variables)
        if self.random.random() < 0.3:
            stride = literal(U32, self.random.choice((2, 3, 5, 7, 9)))
            offset = self.random.choice(variables)
            chosen = Operation("({0} * {1} + {2})", (chosen, stride, offset), U32)
        return chosen

    def vector(self, scope: Scope, type_: Vector, depth: int = 2) -> Expression:
        """Return a vector: a variable, its elements, or an operation on vectors."""
        known = [each for each in scope.variables if each.type == type_]
        if known and self.random.random() < 0.4:
            return self.random.choice(known)
        if depth <= 0 or self.random.random() < 0.5:
            elements = [self.leaf(scope, type_.element) for _ in range(type_.length)]
            listed = ", ".join(f"{{{number}}}" for number in range(type_.length))
            return Operation(f"{type_.name}{{{{{listed}}}}}", tuple(elements), type_)
        operator = self.random.choice("+-*" if type_.element in FLOATING else "+-*&|^")
        pair = tuple(self.vector(scope, type_, depth - 1) for _ in range(2))
        return Operation(f"({{0}} {operator} {{1}})", pair, type_)

    def call(self, scope: Scope, depth: int = 1) -> Expression | None:
        """Return a side-effect-free call with a scalar result, or None."""
        usable = [
            function
            for function in scope.functions
            if isinstance(function.result.type, Scalar) and not changes_arguments(function)
        ]
        if not usable:
            return None
        return self.call_of(scope, self.random.choice(usable), depth)

    def call_of(self, scope: Scope, function: Function, depth: int = 1) -> Expression | None:
        """Return a call of the function; None if no variable in scope matches a parameter."""
        arguments: list[Expression] = []
        for parameter in function.parameters:
            argument = self._argument(scope, parameter, depth)
            if argument is None:
                return None
            arguments.append(argument)
        return call_expression(function, arguments)

    def _argument(self, scope: Scope, parameter: Parameter, depth: int) -> Expression | None:
        type_ = parameter.variable.type
        if isinstance(type_, Scalar):
            return self.scalar(scope, type_, depth)
        if isinstance(type_, Vector):
            return self.vector(scope, type_, depth)
        needs_mutable = parameter.passing != "value" and parameter.variable.mutable
        fitting = [
            each
            for each in scope.variables
            if _fits(each.type, type_) and (each.mutable or not needs_mutable)
        ]
        return self.random.choice(fitting) if fitting else None


def changes_arguments(function: Function) -> bool:
    """Return whether a call can modify a variable of the caller."""
    return any(each.passing != "value" and each.variable.mutable for each in function.parameters)


def call_expression(function: Function, arguments: Sequence[Expression]) -> Operation:
    """Return a call."""
    marks = ["&" if each.passing == "pointer" else "" for each in function.parameters]
    listed = ", ".join(f"{mark}{{{number}}}" for number, mark in enumerate(marks))
    form = f"{function.name}({listed})"
    return Operation(form, tuple(arguments), function.result.type, function.name)


def element_at(whole: Expression, name: str, type_: Scalar) -> Operation:
    """Return the element at a variable's index, which the shrinker must not replace."""
    return Operation(f"{{0}}[{name}]", (whole,), type_)


def _fits(argument: Type, parameter: Type) -> bool:
    if isinstance(parameter, Pointer) and isinstance(argument, Array):
        return argument.element == parameter.element and argument.length >= POINTER_LENGTH
    return argument == parameter

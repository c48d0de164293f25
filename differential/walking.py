"""Traversal of kernels: names in use, checks of declarations, and changed copies."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from differential.model import (
    Assignment,
    Body,
    Declaration,
    Expression,
    Function,
    If,
    Jump,
    Kernel,
    Loop,
    Operation,
    Pattern,
    Phase,
    Statement,
    Struct,
    Switch,
    Type,
    UniformLoop,
    Variable,
)

GIVEN_NAMES = frozenset({"in", "gid", "lid", "group", "local"})
"""Names that every kernel can use without a declaration."""


def subexpressions(expression: Expression) -> Iterator[Expression]:
    """Yield an expression and all nested expressions."""
    yield expression
    if isinstance(expression, Operation):
        for operand in expression.operands:
            yield from subexpressions(operand)


def own_expressions(statement: Statement) -> tuple[Expression, ...]:
    """Return the expressions of a statement, except those of nested statements."""
    match statement:
        case Declaration(_, initial):
            return () if initial is None else (initial,)
        case Assignment(target, value):
            return target, value
        case Pattern(_, operands, targets):
            return (*targets, *operands)
        case If(condition) | Jump(_, condition):
            return (condition,)
        case Loop():
            return () if statement.condition is None else (statement.condition,)
        case Switch(selector):
            return (selector,)


def inner_bodies(statement: Statement) -> tuple[Body, ...]:
    """Return the bodies in a statement."""
    match statement:
        case If(_, then, otherwise):
            return then, otherwise
        case Loop():
            return (statement.body,)
        case Switch(_, cases, default):
            return (*cases, default)
        case _:
            return ()


def statements(body: Body) -> Iterator[Statement]:
    """Yield all statements of a body, including nested ones."""
    for statement in body:
        yield statement
        for inner in inner_bodies(statement):
            yield from statements(inner)


def plain_phases(kernel: Kernel) -> Iterator[Phase]:
    """Yield all phases, including those in loops."""
    for phase in kernel.phases:
        yield from (phase,) if isinstance(phase, Phase) else phase.phases


def expressions(kernel: Kernel) -> Iterator[Expression]:
    """Yield all expressions of a kernel and its functions, including nested ones."""
    bodies = [phase.body for phase in plain_phases(kernel)]
    bodies += [function.body for function in kernel.functions]
    for body in bodies:
        for statement in statements(body):
            for expression in own_expressions(statement):
                yield from subexpressions(expression)
    for function in kernel.functions:
        yield from subexpressions(function.result)


def named_variables(kernel: Kernel) -> set[str]:
    """Return the names of all variables in expressions."""
    return {each.name for each in expressions(kernel) if isinstance(each, Variable)}


def used_functions(kernel: Kernel) -> set[str]:
    """Return the names of all called functions."""
    return {each.function for each in expressions(kernel) if isinstance(each, Operation)}


def used_structs(kernel: Kernel) -> set[str]:
    """Return the names of the structures that are types of variables and members."""
    types: list[Type] = [each.type for each in expressions(kernel)]
    types += [each.variable.type for function in kernel.functions for each in function.parameters]
    bodies = [phase.body for phase in plain_phases(kernel)]
    for body in (*bodies, *(function.body for function in kernel.functions)):
        declared = [each for each in statements(body) if isinstance(each, Declaration)]
        types += [each.variable.type for each in declared]
    used = {each.name for each in types if isinstance(each, Struct)}
    for struct in reversed(kernel.structs):
        if struct.name in used:
            used |= {each.type.name for each in struct.fields if isinstance(each.type, Struct)}
    return used


def is_closed(kernel: Kernel) -> bool:
    """Return whether all variables are declared before use, and jumps are inside loops."""
    given = GIVEN_NAMES | {each.variable.name for each in kernel.arguments}
    given |= {each.variable.name for each in kernel.private}
    for phase in kernel.phases:
        names = given | ({phase.counter.name} if isinstance(phase, UniformLoop) else set[str]())
        inner = (phase,) if isinstance(phase, Phase) else phase.phases
        if not all(_body_names(each.body, names, in_loop=False) is not None for each in inner):
            return False
    return all(map(_is_closed_function, kernel.functions))


def _is_closed_function(function: Function) -> bool:
    given = frozenset(each.variable.name for each in function.parameters)
    names = _body_names(function.body, given, in_loop=False)
    return names is not None and _all_declared((function.result,), names)


def _body_names(body: Body, names: frozenset[str], *, in_loop: bool) -> frozenset[str] | None:
    """Return the names declared after a body; None if it uses an undeclared name."""
    for statement in body:
        if not _all_declared(own_expressions(statement), names):
            return None
        if isinstance(statement, Jump) and not in_loop:
            return None
        if isinstance(statement, Declaration):
            names |= {statement.variable.name}
        inside, loop = names, in_loop
        if isinstance(statement, Loop):
            inside, loop = names | {statement.counter.name}, True
        for inner in inner_bodies(statement):
            if _body_names(inner, inside, in_loop=loop) is None:
                return None
    return names


def _all_declared(some: tuple[Expression, ...], names: frozenset[str]) -> bool:
    return all(
        each.name in names
        for expression in some
        for each in subexpressions(expression)
        if isinstance(each, Variable)
    )


Change = Callable[[Expression], Expression]


def changed_kernel(kernel: Kernel, change: Change) -> Kernel:
    """Return the kernel with `change` applied to every expression, inner ones first."""
    phases = tuple(
        Phase(_changed_body(each.body, change))
        if isinstance(each, Phase)
        else replace(each, phases=tuple(Phase(_changed_body(p.body, change)) for p in each.phases))
        for each in kernel.phases
    )
    functions = tuple(
        replace(each, body=_changed_body(each.body, change), result=_changed(each.result, change))
        for each in kernel.functions
    )
    return replace(kernel, phases=phases, functions=functions)


def _changed(expression: Expression, change: Change) -> Expression:
    if isinstance(expression, Operation):
        operands = tuple(_changed(each, change) for each in expression.operands)
        expression = replace(expression, operands=operands)
    return change(expression)


def _changed_body(body: Body, change: Change) -> Body:
    return tuple(_changed_statement(each, change) for each in body)


def _changed_statement(statement: Statement, change: Change) -> Statement:
    match statement:
        case Declaration(variable, initial):
            return (
                statement if initial is None else Declaration(variable, _changed(initial, change))
            )
        case Assignment(target, value):
            return replace(
                statement, target=_changed(target, change), value=_changed(value, change)
            )
        case Pattern(_, operands):
            return replace(statement, operands=tuple(_changed(each, change) for each in operands))
        case If(condition, then, otherwise):
            return If(
                _changed(condition, change),
                _changed_body(then, change),
                _changed_body(otherwise, change),
            )
        case Loop():
            condition = statement.condition
            return replace(
                statement,
                condition=None if condition is None else _changed(condition, change),
                body=_changed_body(statement.body, change),
            )
        case Switch(selector, cases, default):
            return replace(
                statement,
                selector=_changed(selector, change),
                cases=tuple(_changed_body(each, change) for each in cases),
                default=_changed_body(default, change),
            )
        case Jump(_, condition):
            return replace(statement, condition=_changed(condition, change))

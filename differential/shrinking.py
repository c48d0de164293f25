"""Shrinks a faulty kernel by removing and simplifying parts that the fault does not need.

The algorithm is greedy: candidates are kernels with one simplification, the largest first. They are
checked in batches, since a batch takes hardly longer than one kernel, and the smallest with the
fault is the next kernel. It ends when no candidate has the fault, or after the time limit.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from differential.expressions import call_expression
from differential.model import (
    Assignment,
    Body,
    Declaration,
    Expression,
    Function,
    If,
    Jump,
    Kernel,
    Literal,
    Loop,
    Operation,
    Pattern,
    Phase,
    Scalar,
    Statement,
    Struct,
    Switch,
    UniformLoop,
    Variable,
    has_pointer,
)
from differential.scalars import literal, zero
from differential.sources import kernel_text
from differential.walking import (
    changed_kernel,
    is_closed,
    named_variables,
    own_expressions,
    statements,
    subexpressions,
    used_functions,
    used_structs,
)

Oracle = Callable[[Sequence[Kernel]], list[bool]]
"""Returns for each kernel whether it has the fault."""


def shrink(kernel: Kernel, has_fault: Oracle, seconds: float, batch: int = 16) -> Kernel:
    """Return the smallest kernel found that still has the fault."""
    end = time.monotonic() + seconds
    progress = True
    while progress and time.monotonic() < end:
        progress = False
        for some in _batches(candidates(kernel), batch):
            faulty = [each for each, bad in zip(some, has_fault(some), strict=True) if bad]
            if faulty:
                kernel = min(faulty, key=_size)
                progress = True
                break
            if time.monotonic() >= end:
                break
    return kernel


def _size(kernel: Kernel) -> tuple[int, int]:
    return len(kernel_text(kernel)), kernel.items


def candidates(kernel: Kernel) -> Iterator[Kernel]:
    """Yield distinct smaller kernels, without unused definitions."""
    seen, size = {kernel}, _size(kernel)
    for candidate in _simplified(kernel):
        tidy = without_unused(candidate)
        if tidy not in seen and _size(tidy) < size and is_closed(tidy):
            seen.add(tidy)
            yield tidy


def _batches(kernels: Iterator[Kernel], size: int) -> Iterator[list[Kernel]]:
    some: list[Kernel] = []
    for kernel in kernels:
        some.append(kernel)
        if len(some) == size:
            yield some
            some = []
    if some:
        yield some


def _simplified(kernel: Kernel) -> Iterator[Kernel]:
    """Yield kernels with one simplification; the first only loses unused definitions."""
    yield kernel
    for size in (1, 2, 4, 8, 16):
        if size < kernel.group_size:
            yield replace(kernel, group_size=size)
    if kernel.groups > 1:
        yield replace(kernel, groups=1)
    for phases in _smaller_phases(kernel.phases):
        yield replace(kernel, phases=phases)
    for index, function in enumerate(kernel.functions):
        for smaller in _smaller_functions(function):
            functions = (*kernel.functions[:index], smaller, *kernel.functions[index + 1 :])
            yield replace(kernel, functions=functions)
    for function in kernel.functions:
        yield from _without_parameters(kernel, function)
    for index, struct in enumerate(kernel.structs):
        yield from _without_fields(kernel, index, struct)


def _smaller_phases(
    phases: tuple[Phase | UniformLoop, ...],
) -> Iterator[tuple[Phase | UniformLoop, ...]]:
    for index, phase in enumerate(phases):
        before, after = phases[:index], phases[index + 1 :]
        if len(phases) > 1:
            yield before + after
        if isinstance(phase, Phase):
            yield from ((*before, Phase(body), *after) for body in _smaller_bodies(phase.body))
            continue
        if phase.count > 1:
            yield (*before, replace(phase, count=1), *after)
        for number, inner in enumerate(phase.phases):
            for body in _smaller_bodies(inner.body):
                changed = (*phase.phases[:number], Phase(body), *phase.phases[number + 1 :])
                yield (*before, replace(phase, phases=changed), *after)


def _smaller_functions(function: Function) -> Iterator[Function]:
    for body in _smaller_bodies(function.body):
        yield replace(function, body=body)
    for result in _smaller_expressions(function.result):
        if result.type == function.result.type:
            yield replace(function, result=result)


def _without_parameters(kernel: Kernel, function: Function) -> Iterator[Kernel]:
    """Yield kernels in which a function and its calls lack a parameter that is not used."""
    named = {
        each.name
        for statement in statements(function.body)
        for expression in own_expressions(statement)
        for each in subexpressions(expression)
        if isinstance(each, Variable)
    }
    named |= {each.name for each in subexpressions(function.result) if isinstance(each, Variable)}
    for index, parameter in enumerate(function.parameters):
        if parameter.variable.name in named:
            continue
        kept = (*function.parameters[:index], *function.parameters[index + 1 :])
        smaller = replace(function, parameters=kept)
        calling = _call_changer(smaller, index)
        functions = tuple(smaller if each == function else each for each in kernel.functions)
        yield changed_kernel(replace(kernel, functions=functions), calling)


def _call_changer(function: Function, dropped: int) -> Callable[[Expression], Expression]:
    def change(expression: Expression) -> Expression:
        if not isinstance(expression, Operation) or expression.function != function.name:
            return expression
        operands = expression.operands
        return call_expression(function, (*operands[:dropped], *operands[dropped + 1 :]))

    return change


def _without_fields(kernel: Kernel, index: int, struct: Struct) -> Iterator[Kernel]:
    """Yield kernels in which a structure lacks a member that is not used."""
    text = kernel_text(replace(kernel, structs=()))
    for field in struct.fields:
        if len(struct.fields) == 1 or has_pointer(struct) or f".{field.name}" in text:
            continue
        fields = tuple(each for each in struct.fields if each != field)
        smaller = replace(struct, fields=fields)
        # Types in the rest of the kernel keep the member; only the definition is printed.
        yield replace(
            kernel, structs=(*kernel.structs[:index], smaller, *kernel.structs[index + 1 :])
        )


def _smaller_bodies(body: Body) -> Iterator[Body]:
    """Yield the body without parts, without single statements, and with simpler statements."""
    count = len(body)
    part = count // 2
    while part > 1:
        for start in range(0, count, part):
            yield body[:start] + body[start + part :]
        part //= 2
    for index, statement in enumerate(body):
        before, after = body[:index], body[index + 1 :]
        yield before + after
        for inner in _inner_bodies(statement):
            yield before + inner + after
    for index, statement in enumerate(body):
        before, after = body[:index], body[index + 1 :]
        for smaller in _smaller_statements(statement):
            yield (*before, smaller, *after)


def _inner_bodies(statement: Statement) -> Iterator[Body]:
    match statement:
        case If(_, then, otherwise):
            yield then
            if otherwise:
                yield otherwise
        case Switch(_, cases, default):
            yield from (*cases, default)
        case _:
            pass


def _smaller_statements(statement: Statement) -> Iterator[Statement]:
    match statement:
        case Declaration(variable, initial):
            if initial is not None:
                if not has_pointer(variable.type):
                    yield Declaration(variable)
                yield from (
                    replace(statement, initial=each) for each in _smaller_expressions(initial)
                )
        case Assignment(target, value):
            yield from (replace(statement, value=each) for each in _smaller_expressions(value))
            yield from (replace(statement, target=each) for each in _smaller_operands(target))
        case Pattern(_, operands):
            for changed in _changed_operands(operands):
                yield replace(statement, operands=changed)
        case If(condition, then, otherwise):
            if otherwise:
                yield If(condition, then)
            yield from (replace(statement, condition=c) for c in _smaller_expressions(condition))
            yield from (replace(statement, then=body) for body in _smaller_bodies(then))
            yield from (replace(statement, otherwise=body) for body in _smaller_bodies(otherwise))
        case Loop():
            yield from _smaller_loops(statement)
        case Switch():
            yield from _smaller_switches(statement)
        case Jump(_, condition):
            yield from (replace(statement, condition=c) for c in _smaller_expressions(condition))


def _smaller_loops(loop: Loop) -> Iterator[Statement]:
    yield replace(loop, count=1)
    if loop.count > 2:
        yield replace(loop, count=2)
    if loop.condition is not None:
        yield replace(loop, condition=None)
        yield from (replace(loop, condition=c) for c in _smaller_expressions(loop.condition))
    if loop.style != "for":
        yield replace(loop, style="for")
    yield replace(loop, step=1)
    yield from (replace(loop, body=body) for body in _smaller_bodies(loop.body))


def _smaller_switches(switch: Switch) -> Iterator[Statement]:
    yield from (replace(switch, selector=each) for each in _smaller_expressions(switch.selector))
    if switch.cases:
        yield replace(switch, cases=switch.cases[:-1])
    for index, case in enumerate(switch.cases):
        for body in _smaller_bodies(case):
            cases = (*switch.cases[:index], body, *switch.cases[index + 1 :])
            yield replace(switch, cases=cases)
    yield from (replace(switch, default=body) for body in _smaller_bodies(switch.default))


def _smaller_expressions(expression: Expression) -> Iterator[Expression]:
    """Yield constants, operands of the same type, and the expression with simpler operands."""
    type_ = expression.type
    if isinstance(type_, Scalar):
        if not isinstance(expression, Literal):
            yield literal(type_, 4 if type_.kind == "floating" else 1)
        if expression != zero(type_):
            yield zero(type_)
    if isinstance(expression, Operation):
        yield from (each for each in expression.operands if each.type == type_)
        yield from _smaller_operands(expression)


def _smaller_operands(expression: Expression) -> Iterator[Expression]:
    if isinstance(expression, Operation):
        for operands in _changed_operands(expression.operands):
            yield replace(expression, operands=operands)


def _changed_operands(operands: tuple[Expression, ...]) -> Iterator[tuple[Expression, ...]]:
    for index, operand in enumerate(operands):
        for smaller in _smaller_expressions(operand):
            yield (*operands[:index], smaller, *operands[index + 1 :])


def without_unused(kernel: Kernel) -> Kernel:
    """Return the kernel without unused declarations, functions and structures."""
    while True:
        names = named_variables(kernel)
        tidy = replace(
            kernel,
            functions=tuple(f for f in kernel.functions if f.name in used_functions(kernel)),
            arguments=tuple(a for a in kernel.arguments if a.variable.name in names),
            private=tuple(d for d in kernel.private if d.variable.name in names),
        )
        used = used_structs(tidy)
        tidy = replace(tidy, structs=tuple(s for s in kernel.structs if s.name in used))
        if "local" not in names:
            tidy = replace(tidy, local=None)
        if tidy == kernel:
            return tidy
        kernel = tidy

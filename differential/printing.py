"""C++ for statements, functions and bodies of random kernels.

The same text is printed for the device and for the host. A work-item's part between two barriers
is plain C++ that uses the names `gid`, `lid`, `in`, `out`, `local` and `counters`; `sources.py`
puts it into a kernel, or into a loop over the work-items of a group.
"""

from __future__ import annotations

from collections.abc import Iterator

from differential.model import (
    Array,
    Assignment,
    Body,
    Declaration,
    Expression,
    Function,
    If,
    Jump,
    Literal,
    Loop,
    Parameter,
    Pattern,
    Scalar,
    Statement,
    Struct,
    Switch,
    Type,
    Variable,
)
from differential.scalars import zero


def expression_text(expression: Expression) -> str:
    """Return an expression as C++."""
    if isinstance(expression, Literal):
        return expression.text
    if isinstance(expression, Variable):
        return expression.name
    return expression.form.format(*map(expression_text, expression.operands))


def declared(name: str, type_: Type) -> str:
    """Return the declarator of a variable or member."""
    if isinstance(type_, Array):
        return f"{type_.element.name} {name}[{type_.length}]"
    return f"{type_.name} {name}"


def body_lines(body: Body) -> Iterator[str]:
    """Yield the lines of a body."""
    for statement in body:
        yield from _statement_lines(statement)


def _statement_lines(statement: Statement) -> Iterator[str]:
    match statement:
        case Declaration():
            yield declaration_text(statement)
        case Assignment(target, value, operator):
            yield f"{expression_text(target)} {operator} {expression_text(value)};"
        case Pattern(form, operands, targets):
            yield from form.format(*map(expression_text, (*targets, *operands))).splitlines()
        case If(condition, then, otherwise):
            yield f"if ({expression_text(condition)}) {{"
            yield from _indented(then)
            if otherwise:
                yield "} else {"
                yield from _indented(otherwise)
            yield "}"
        case Loop():
            yield from _loop_lines(statement)
        case Switch():
            yield from _switch_lines(statement)
        case Jump(keyword, condition):
            yield f"if ({expression_text(condition)})"
            yield f"  {keyword};"


def declaration_text(declaration: Declaration) -> str:
    """Return a declaration; variables without an initial value are zero."""
    variable, initial = declaration.variable, declaration.initial
    text = declared(variable.name, variable.type)
    if initial is not None:
        return f"{text} = {expression_text(initial)};"
    if isinstance(variable.type, Scalar):
        return f"{text} = {zero(variable.type).text};"
    return f"{text} = {{}};"


def _indented(body: Body) -> Iterator[str]:
    return (f"  {line}" for line in body_lines(body))


def _loop_lines(loop: Loop) -> Iterator[str]:
    name, type_ = loop.counter.name, loop.counter.type
    assert isinstance(type_, Scalar)
    limit = f"{name} < {loop.count * loop.step}"
    if loop.condition is not None:
        limit += f" && {expression_text(loop.condition)}"
    advance = f"++{name}" if loop.step == 1 else f"{name} += {loop.step}"
    if loop.style == "for":
        yield f"for ({type_.name} {name} = 0; {limit}; {advance}) {{"
        yield from _indented(loop.body)
        yield "}"
        return
    # The counter advances first, so that `continue` cannot make the loop endless.
    raw = f"{name}_next"
    limit = limit.replace(f"{name} <", f"{raw} <", 1)
    yield f"{type_.name} {raw} = 0, {name} = 0;"
    yield "do {" if loop.style == "do" else f"while ({limit}) {{"
    yield f"  {name} = {raw};"
    yield f"  {raw} += {loop.step};"
    yield from _indented(loop.body)
    yield f"}} while ({limit});" if loop.style == "do" else "}"


def _switch_lines(switch: Switch) -> Iterator[str]:
    yield f"switch ({expression_text(switch.selector)}) {{"
    for number, body in enumerate(switch.cases):
        yield f"case {number}: {{"
        yield from _indented(body)
        falls = switch.falls_through and number % 2 == 0
        yield "}" if falls else "} break;"
        if falls:
            yield "  [[fallthrough]];"
    yield "default: {"
    yield from _indented(switch.default)
    yield "} break;"
    yield "}"


def struct_text(struct: Struct) -> str:
    """Return the definition of a structure."""
    fields = "".join(f"  {declared(field.name, field.type)};\n" for field in struct.fields)
    return f"struct {struct.name} {{\n{fields}}};\n"


def function_text(function: Function) -> str:
    """Return the definition of a function."""
    result = function.result.type
    assert not isinstance(result, Array)
    kind = "inline" if function.inlined else "__attribute__((noinline)) static"
    parameters = ", ".join(map(_parameter_text, function.parameters))
    body = "".join(f"{line}\n" for line in _indented(function.body))
    end = f"  return {expression_text(function.result)};\n"
    return f"{kind} {result.name} {function.name}({parameters}) {{\n{body}{end}}}\n"


def _parameter_text(parameter: Parameter) -> str:
    variable = parameter.variable
    if parameter.passing == "value":
        return declared(variable.name, variable.type)
    assert isinstance(variable.type, Struct)
    const = "" if variable.mutable else "const "
    mark = "&" if parameter.passing == "reference" else "*"
    # The generator names parameters that are passed by pointer `(*name)`.
    name = variable.name.strip("(*)")
    return f"{const}{variable.type.name} {mark}{name}"

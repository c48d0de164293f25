"""Conditions as text for messages: `fp64 and not intel_gpu_pvc`."""

from dovetail.conditions.expression import AND, ASPECT, NOT, OR, Condition
from dovetail.errors import UsageError
from dovetail.targets import architecture_names, aspect_name

_LOWEST, _CONJUNCTION, _NEGATION = range(3)
"""Precedence of the operator that encloses an expression."""


def in_words(condition: Condition) -> str:
    """Return a condition as text, with parentheses where they are needed."""
    words: list[str] = []
    position = 0
    # A stack of what remains: text, or the precedence around the next expression.
    pending: list[str | int] = [_LOWEST]
    while pending:
        around = pending.pop()
        if isinstance(around, str):
            words.append(around)
            continue
        node = condition[position]
        position += 1
        if node == NOT:
            pending += (_NEGATION, "not ")
        elif node == AND:
            parts = (_CONJUNCTION, " and ", _CONJUNCTION)
            pending += _parenthesized(around > _CONJUNCTION, parts)
        elif node == OR:
            pending += _parenthesized(around > _LOWEST, (_LOWEST, " or ", _LOWEST))
        else:
            words.append(_name(node, condition[position]))
            position += 1
    return "".join(words)


def _parenthesized(needed: bool, parts: tuple[str | int, ...]) -> tuple[str | int, ...]:
    """Return the parts in reverse order, as the stack is popped from its end."""
    return (")", *parts, "(") if needed else parts


def _name(node: int, number: int) -> str:
    if node == ASPECT:
        try:
            return aspect_name(number)
        except UsageError:
            return f"aspect {number}"
    names = architecture_names(number)
    return names[0] if names else f"architecture {number}"

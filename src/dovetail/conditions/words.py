"""Conditions in words, for messages: `fp64 and not intel_gpu_pvc`."""

from dovetail.conditions.expression import AND, ASPECT, NOT, OR, Condition
from dovetail.errors import UsageError
from dovetail.targets import architecture_names, aspect_name

_LOOSE, _CONJUNCT, _NEGATED = range(3)
"""How tightly what lies around an expression binds."""


def in_words(condition: Condition) -> str:
    """A condition as one would say it, with brackets where they are needed."""
    words: list[str] = []
    position = 0
    # What is still to come: text, or the next expression, by what lies around it.
    pending: list[str | int] = [_LOOSE]
    while pending:
        around = pending.pop()
        if isinstance(around, str):
            words.append(around)
            continue
        node = condition[position]
        position += 1
        if node == NOT:
            pending += (_NEGATED, "not ")
        elif node == AND:
            pending += _bracketed(around > _CONJUNCT, (_CONJUNCT, " and ", _CONJUNCT))
        elif node == OR:
            pending += _bracketed(around > _LOOSE, (_LOOSE, " or ", _LOOSE))
        else:
            words.append(_name(node, condition[position]))
            position += 1
    return "".join(words)


def _bracketed(needed: bool, what: tuple[str | int, ...]) -> tuple[str | int, ...]:
    """Backwards, as what is pending is taken from its end."""
    return (")", *what, "(") if needed else what


def _name(node: int, number: int) -> str:
    if node == ASPECT:
        try:
            return aspect_name(number)
        except UsageError:
            return f"aspect {number}"
    names = architecture_names(number)
    return names[0] if names else f"architecture {number}"

"""Conditions as terms in negation normal form, with n-ary operators and sorted distinct operands.

Terms are equal up to order, nesting, repetition, double negation, De Morgan's laws and absorption
by single aspects and architectures. Building one takes O(n log n) time. Written back as a
condition, negated operands share one negation.
"""

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import NamedTuple

from dovetail.conditions.expression import AND, ARCHITECTURE, ASPECT, NOT, OR, Condition


class Literal(NamedTuple):
    """An aspect or an architecture, or its absence. The order of the fields is the sort order."""

    is_architecture: bool
    number: int
    negated: bool = False

    def positive(self) -> "Literal":
        """Return the literal without its negation."""
        return Literal(self.is_architecture, self.number)


class Compound:
    """An operator and its operands: at least two, distinct, sorted, none with the same operator."""

    __slots__ = ("identity", "literals", "operator", "parts")

    def __init__(self, operator: int, parts: "Sequence[Term]") -> None:
        self.operator = operator
        self.parts = tuple(sorted(parts, key=_order))
        self.literals = tuple(part for part in self.parts if isinstance(part, Literal))
        nested = (part.identity for part in self.parts if isinstance(part, Compound))
        content = f"{operator} {[tuple(each) for each in self.literals]}".encode()
        # A structural comparison would recurse as deep as the terms are nested.
        self.identity = blake2b(b"".join((content, *nested)), digest_size=16).digest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Compound) and self.identity == other.identity

    def __hash__(self) -> int:
        return hash(self.identity)


Term = Literal | Compound


def _order(term: Term) -> tuple[int, tuple[Literal, ...], bytes]:
    if isinstance(term, Literal):
        return 0, (term,), b""
    return 1, term.literals, term.identity


def compound(operator: int, parts: Iterable[Term]) -> Term:
    """Return the term that combines at least one operand, without redundant ones."""
    flat: dict[Term, None] = {}
    for part in parts:
        if isinstance(part, Compound) and part.operator == operator:
            flat.update(dict.fromkeys(part.parts))
        else:
            flat[part] = None
    kept = [
        part for part in flat if isinstance(part, Literal) or flat.keys().isdisjoint(part.parts)
    ]
    return kept[0] if len(kept) == 1 else Compound(operator, kept)


class _Open(NamedTuple):
    """An operand list under construction."""

    operator: int
    """0 for a single operand."""
    parts: list[Term]

    def operands_of(self, operator: int) -> list[Term]:
        if self.operator in (operator, 0):
            return self.parts
        return [self.closed()]

    def closed(self) -> Term:
        return compound(self.operator, self.parts) if self.operator else self.parts[0]


def term_of(condition: Condition) -> Term:
    """Return the term of a condition."""
    stack: list[_Open] = []
    number = 0
    for node, positive in zip(reversed(condition), reversed(_polarities(condition)), strict=True):
        if node >= 0:
            number = node
        elif node in (ASPECT, ARCHITECTURE):
            stack.append(_Open(0, [Literal(node == ARCHITECTURE, number, not positive)]))
        elif node != NOT:
            operator = node if positive else _dual(node)
            one = stack.pop().operands_of(operator)
            other = stack.pop().operands_of(operator)
            small, large = (one, other) if len(one) < len(other) else (other, one)
            large.extend(small)
            stack.append(_Open(operator, large))
    return stack.pop().closed()


def _polarities(condition: Condition) -> list[bool]:
    """Return for each integer whether an even number of negations encloses it."""
    polarities: list[bool] = []
    pending = [True]
    for node in condition:
        if node >= 0:
            polarities.append(True)
            continue
        positive = pending.pop()
        polarities.append(positive)
        if node == NOT:
            pending.append(not positive)
        elif node in (AND, OR):
            pending += (positive, positive)
    return polarities


def _dual(operator: int) -> int:
    return OR if operator == AND else AND


def write_term(term: Term) -> Condition:
    """Return a term as a condition."""
    ints: list[int] = []
    pending: list[Term | int] = [term]
    while pending:
        each = pending.pop()
        if isinstance(each, int):
            ints.append(each)
        elif isinstance(each, Compound):
            pending.extend(reversed(_spelled(each)))
        else:
            kind = ARCHITECTURE if each.is_architecture else ASPECT
            ints += (NOT, kind, each.number) if each.negated else (kind, each.number)
    return Condition(tuple(ints))


def _spelled(term: Compound) -> list[Term | int]:
    """Return operators and operands in prefix order: `c and not (a or b)` for c, not a, not b."""
    negated = [part.positive() for part in term.literals if part.negated]
    operands: list[list[Term | int]] = [
        [part] for part in term.parts if isinstance(part, Compound) or not part.negated
    ]
    if negated:
        operands.append([NOT, *_chain(_dual(term.operator), [[each] for each in negated])])
    return _chain(term.operator, operands)


def _chain(operator: int, operands: Sequence[Sequence[Term | int]]) -> list[Term | int]:
    chain: list[Term | int] = []
    for operand in operands[:-1]:
        chain += (operator, *operand)
    return [*chain, *operands[-1]]

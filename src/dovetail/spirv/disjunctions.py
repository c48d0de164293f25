"""Disjunctions of conditions, in few words."""

from collections.abc import Iterable, Iterator

from dovetail.spirv.expressions import TRUE, Expressions
from dovetail.spirv.opcodes import LOGICAL_AND, LOGICAL_NOT, LOGICAL_OR

_MOST_TERMS = 64


class Disjunctions:
    """Makes expressions that hold where any of some others does.

    Much is used by many, whose conditions often say the same: of `a`, `a and b` and `a or c`, only
    `a` and `c` matter, and with `not a` nothing does. Each set is joined once; very large ones are
    not looked into, so that none takes long.
    """

    def __init__(self, expressions: Expressions) -> None:
        self._expressions = expressions
        self._known: dict[frozenset[int], int] = {}
        self._parts: dict[tuple[int, int], frozenset[int]] = {}
        """By number and operation, what is joined by it."""

    def of(self, conditions: Iterable[int]) -> int:
        """Where any of them holds."""
        given = frozenset(conditions)
        if TRUE in given:
            return TRUE
        if given not in self._known:
            self._known[given] = self._joined(given)
        return self._known[given]

    def factors(self, condition: int) -> frozenset[int]:
        """The conditions that hold together where one holds; itself, if it is no conjunction."""
        return self._joined_by(LOGICAL_AND, condition)

    def _joined(self, conditions: frozenset[int]) -> int:
        terms = {term for each in conditions for term in self._joined_by(LOGICAL_OR, each)}
        if len(terms) > _MOST_TERMS:
            return self._expressions.disjunction(conditions)
        if any(self._negated(term) in terms for term in terms):
            return TRUE
        return self._expressions.disjunction(self._without_needless(terms))

    def _negated(self, term: int) -> int | None:
        """What a term is the negation of."""
        node = self._expressions.nodes[term] if term >= 0 else None
        return node.operands[0] if node and node.operation == LOGICAL_NOT else None

    def _without_needless(self, terms: Iterable[int]) -> Iterator[int]:
        """The terms, but for those that ask for all that another one asks for, and more."""
        kept: list[frozenset[int]] = []
        for term in sorted(terms, key=lambda each: len(self.factors(each))):
            factors = self.factors(term)
            if not any(others <= factors for others in kept):
                kept.append(factors)
                yield term

    def _joined_by(self, operation: int, number: int) -> frozenset[int]:
        key = operation, number
        if key not in self._parts:
            nodes = self._expressions.nodes
            found: set[int] = set()
            waiting = [number]
            while waiting:
                each = waiting.pop()
                if each >= 0 and nodes[each].operation == operation:
                    waiting += nodes[each].operands
                else:
                    found.add(each)
            self._parts[key] = frozenset(found)
        return self._parts[key]

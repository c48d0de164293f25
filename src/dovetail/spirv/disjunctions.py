"""Simplified disjunctions of conditions."""

from collections.abc import Iterable, Iterator

from dovetail.spirv.expressions import TRUE, Expressions
from dovetail.spirv.opcodes import LOGICAL_AND, LOGICAL_NOT, LOGICAL_OR

_MAX_SIMPLIFIED_TERMS = 64


class Disjunctions:
    """Builds simplified disjunctions of expressions.

    An id often has many users whose conditions overlap: `a`, `a and b` and `a or c` become
    `a or c`, and with `not a` the disjunction is true. Results are cached by set of operands. Sets
    with many terms are not simplified, to bound the time.
    """

    def __init__(self, expressions: Expressions) -> None:
        self._expressions = expressions
        self._known: dict[frozenset[int], int] = {}
        self._parts: dict[tuple[int, int], frozenset[int]] = {}
        """The operands of nested operations, by operation and number."""

    def of(self, conditions: Iterable[int]) -> int:
        """Return the disjunction of conditions."""
        given = frozenset(conditions)
        if TRUE in given:
            return TRUE
        if given not in self._known:
            self._known[given] = self._joined(given)
        return self._known[given]

    def factors(self, condition: int) -> frozenset[int]:
        """Return the operands of a conjunction, or the condition itself if it is not one."""
        return self._flattened(LOGICAL_AND, condition)

    def _joined(self, conditions: frozenset[int]) -> int:
        terms = {term for each in conditions for term in self._flattened(LOGICAL_OR, each)}
        if len(terms) > _MAX_SIMPLIFIED_TERMS:
            return self._expressions.disjunction(conditions)
        if any(self._negated(term) in terms for term in terms):
            return TRUE
        return self._expressions.disjunction(self._without_implied(terms))

    def _negated(self, term: int) -> int | None:
        """Return the operand of a negation, or None."""
        node = self._expressions.nodes[term] if term >= 0 else None
        return node.operands[0] if node and node.operation == LOGICAL_NOT else None

    def _without_implied(self, terms: Iterable[int]) -> Iterator[int]:
        """Yield the terms, except those that imply another term."""
        kept: list[frozenset[int]] = []
        for term in sorted(terms, key=lambda each: len(self.factors(each))):
            factors = self.factors(term)
            if not any(others <= factors for others in kept):
                kept.append(factors)
                yield term

    def _flattened(self, operation: int, number: int) -> frozenset[int]:
        """Return the operands of nested operations of a kind; cached."""
        key = operation, number
        if key not in self._parts:
            nodes = self._expressions.nodes
            found: set[int] = set()
            pending = [number]
            while pending:
                each = pending.pop()
                if each >= 0 and nodes[each].operation == operation:
                    pending += nodes[each].operands
                else:
                    found.add(each)
            self._parts[key] = frozenset(found)
        return self._parts[key]

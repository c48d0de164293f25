"""Boolean expressions of specialization constants, hash-consed."""

from collections.abc import Iterable
from typing import NamedTuple

from dovetail.spirv.opcodes import LOGICAL_AND, LOGICAL_NOT, LOGICAL_OR

FIRST_SPEC_ID = 1 << 31
"""The first `SpecId` reserved for conditions. User code has small numbers."""

TRUE = -1
FALSE = -2
"""Used instead of a node's number."""

CONSTANT = 0
"""The operation of a node for a specialization constant; its operand is the `SpecId`."""


class ExpressionNode(NamedTuple):
    """An expression: the opcode of its operation and the numbers of its operands."""

    operation: int
    operands: tuple[int, ...]


class Expressions:
    """A table of expressions, identified by number. Equal expressions have the same number.

    Operands precede the expressions that use them. Constant and duplicate operands and double
    negations are simplified.
    """

    def __init__(self) -> None:
        self.nodes: list[ExpressionNode] = []
        self._numbers: dict[ExpressionNode, int] = {}

    @classmethod
    def of(cls, nodes: Iterable[ExpressionNode]) -> "Expressions":
        """Return a table with the given nodes, numbered in order."""
        new = cls()
        new.nodes = list(nodes)
        new._numbers = {node: number for number, node in enumerate(new.nodes)}
        return new

    def copy(self) -> "Expressions":
        """Return an independent copy, to add expressions to."""
        return Expressions.of(self.nodes)

    def constant(self, spec_id: int) -> int:
        """Return the specialization constant with a `SpecId`."""
        return self._number(CONSTANT, spec_id)

    def negation(self, of: int) -> int:
        """Return the negation of an expression."""
        if of in (TRUE, FALSE):
            return FALSE if of == TRUE else TRUE
        node = self.nodes[of]
        return node.operands[0] if node.operation == LOGICAL_NOT else self._number(LOGICAL_NOT, of)

    def conjunction(self, of: Iterable[int]) -> int:
        """Return the conjunction of expressions."""
        return self._joined(LOGICAL_AND, of, identity=TRUE, absorbing=FALSE)

    def disjunction(self, of: Iterable[int]) -> int:
        """Return the disjunction of expressions."""
        return self._joined(LOGICAL_OR, of, identity=FALSE, absorbing=TRUE)

    def _joined(self, operation: int, of: Iterable[int], *, identity: int, absorbing: int) -> int:
        """Return the number of the operation on all operands, without redundant ones."""
        operands = set(of)
        if absorbing in operands:
            return absorbing
        # Sorted, so that expressions share as many prefixes as possible.
        first, *others = sorted(operands - {identity}) or [identity]
        for other in others:
            first = self._number(operation, first, other)
        return first

    def _number(self, operation: int, *operands: int) -> int:
        """Return the number of an expression; add it if it is new."""
        node = ExpressionNode(operation, operands)
        if node not in self._numbers:
            self._numbers[node] = len(self.nodes)
            self.nodes.append(node)
        return self._numbers[node]

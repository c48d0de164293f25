"""Boolean expressions of specialization constants, each there once."""

from collections.abc import Iterable
from typing import NamedTuple

from dovetail.spirv.opcodes import LOGICAL_AND, LOGICAL_NOT, LOGICAL_OR

FIRST_SPEC_ID = 1 << 31
"""From here on specialization constants are ours. Those that users' code has are small numbers."""

TRUE = -1
FALSE = -2
"""In place of a node's number: what needs no constant."""

CONSTANT = 0
"""The operation of a node that is no operation but a constant; its operand is the `SpecId`."""


class ExpressionNode(NamedTuple):
    """An expression, by the opcode of its operation and the numbers of its operands."""

    operation: int
    operands: tuple[int, ...]


class Expressions:
    """Expressions are known by number; those that are written alike have the same one.

    Operands come before what is made of them. What is obvious is simplified: operands that are true
    or false, or there twice, and a negation of a negation.
    """

    def __init__(self) -> None:
        self.nodes: list[ExpressionNode] = []
        self._numbers: dict[ExpressionNode, int] = {}

    @classmethod
    def of(cls, nodes: Iterable[ExpressionNode]) -> "Expressions":
        """Those of another's nodes, with the same numbers."""
        new = cls()
        new.nodes = list(nodes)
        new._numbers = {node: number for number, node in enumerate(new.nodes)}
        return new

    def copy(self) -> "Expressions":
        """The same expressions, to add others to."""
        return Expressions.of(self.nodes)

    def constant(self, spec_id: int) -> int:
        """The specialization constant with that `SpecId`."""
        return self._number(CONSTANT, spec_id)

    def negation(self, of: int) -> int:
        """Where an expression is not true."""
        if of in (TRUE, FALSE):
            return FALSE if of == TRUE else TRUE
        node = self.nodes[of]
        return node.operands[0] if node.operation == LOGICAL_NOT else self._number(LOGICAL_NOT, of)

    def conjunction(self, of: Iterable[int]) -> int:
        """Where all are true."""
        return self._joined(LOGICAL_AND, of, neutral=TRUE, deciding=FALSE)

    def disjunction(self, of: Iterable[int]) -> int:
        """Where any is true."""
        return self._joined(LOGICAL_OR, of, neutral=FALSE, deciding=TRUE)

    def _joined(self, operation: int, of: Iterable[int], *, neutral: int, deciding: int) -> int:
        operands = set(of)
        if deciding in operands:
            return deciding
        # In one order, so that expressions begin alike wherever they can, and share that.
        first, *others = sorted(operands - {neutral}) or [neutral]
        for other in others:
            first = self._number(operation, first, other)
        return first

    def _number(self, operation: int, *operands: int) -> int:
        node = ExpressionNode(operation, operands)
        if node not in self._numbers:
            self._numbers[node] = len(self.nodes)
            self.nodes.append(node)
        return self._numbers[node]

"""The values of expressions of specialization constants."""

from collections.abc import Collection

from dovetail.spirv.expressions import CONSTANT, FALSE, TRUE, Expressions
from dovetail.spirv.opcodes import LOGICAL_AND, LOGICAL_NOT


def values_of(expressions: Expressions, true: Collection[int]) -> dict[int, bool]:
    """Return the values by number, where these constants are true and all others false."""
    values: dict[int, bool] = {TRUE: True, FALSE: False}
    for number, (operation, operands) in enumerate(expressions.nodes):
        if operation == CONSTANT:
            values[number] = operands[0] in true
        elif operation == LOGICAL_NOT:
            values[number] = not values[operands[0]]
        else:
            join = all if operation == LOGICAL_AND else any
            values[number] = join(values[operand] for operand in operands)
    return values

"""Propagate aspects through the call graph: unconditional uses, and uses under conditions.

If a function calls another under a condition, it uses the callee's aspects under that condition,
and the callee's conditional aspects under the conjunction of both. Conditions are in normal form,
so equivalent ones are equal. Conditional uses exclude the unconditional ones.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import TypeVar

from dovetail import conditions
from dovetail.graphs import from_bits, gather, to_bits
from dovetail.targets import Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dovetail.conditions import Condition, Normal

ConditionalEdge = tuple[int, "Condition", int]
"""Caller, condition, callee."""
ConditionalUses = dict["Condition", int]
"""The aspects used under each condition, as non-zero bits; conditions ascending."""

Key = TypeVar("Key")


@dataclass(frozen=True)
class Edges:
    """The calls between numbered functions: unconditional ones as parallel lists, and others."""

    sources: list[int] = field(default_factory=list[int])
    targets: list[int] = field(default_factory=list[int])
    conditional: list[ConditionalEdge] = field(default_factory=list[ConditionalEdge])

    def add(self, source: int, condition: "Normal", target: int) -> None:
        """Add a call, unless its condition is False."""
        if not isinstance(condition, bool):
            self.conditional.append((source, condition, target))
        elif condition:
            self.sources.append(source)
            self.targets.append(target)

    def gather(self, own: Sequence[int]) -> tuple[list[int], dict[int, ConditionalUses]]:
        """Return what each function uses unconditionally, and the conditional uses by function.

        `own` contains the aspects that each function's own code uses, as bits.
        """
        used = gather(own, self.sources, self.targets)
        if not self.conditional:
            return used, {}
        return used, _gather_conditional(used, self)


def _gather_conditional(used: Sequence[int], edges: Edges) -> dict[int, ConditionalUses]:
    """Propagate new uses to callers until a fixed point is reached.

    Cycles terminate, since there are finitely many conjunctions of the conditions.
    """
    callers: list[list[int]] = [[] for _ in used]
    for source, target in zip(edges.sources, edges.targets, strict=True):
        callers[target].append(source)
    conditional_callers: dict[int, list[tuple[int, Condition]]] = {}
    pending: list[tuple[int, Condition, int]] = []
    for source, condition, target in edges.conditional:
        conditional_callers.setdefault(target, []).append((source, condition))
        pending.append((source, condition, used[target]))
    found: dict[int, ConditionalUses] = {}
    while pending:
        node, condition, bits = pending.pop()
        new = bits & ~used[node] & ~found.get(node, {}).get(condition, 0)
        if not new:
            continue
        uses = found.setdefault(node, {})
        uses[condition] = uses.get(condition, 0) | new
        pending += [(caller, condition, new) for caller in callers[node]]
        for caller, outer in conditional_callers.get(node, ()):
            both = both_hold(outer, condition)
            if not isinstance(both, bool):
                pending.append((caller, both, new))
    return {node: dict(sorted(uses.items())) for node, uses in found.items()}


@lru_cache(maxsize=4096)
def both_hold(one: "Normal", other: "Normal") -> "Normal":
    """Return the conjunction; cached, since functions on a path combine the same conditions."""
    return conditions.conjunction(one, other)


def simplify(found: Mapping[Key, ConditionalUses], table: Table) -> dict[Key, ConditionalUses]:
    """Return conditional uses without aspects that every device has if the condition holds.

    That is proven from the condition itself and from the table.
    """

    @cache
    def without_certain(condition: "Condition", bits: int) -> int:
        aspects = from_bits(bits)
        return bits & ~to_bits(a for a in aspects if conditions.always_has(condition, a, table))

    simple: dict[Key, ConditionalUses] = {}
    for key, uses in found.items():
        left = {c: rest for c, bits in uses.items() if (rest := without_certain(c, bits))}
        if left:
            simple[key] = left
    return simple

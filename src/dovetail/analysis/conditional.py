"""Which aspects functions use on all devices, and which on some alone, behind conditional calls.

Where a function calls another only if a condition holds, it uses what that function uses under this
condition; and what that function uses under another condition, if both hold. Conditions are in
normal form, so that equivalent ones are the same. What a function uses on all devices is not said
again.
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
"""Who calls, if which condition holds, which function."""
ConditionalUses = dict["Condition", int]
"""By condition the aspects that are used then, as bits; conditions ascending, none without any."""

Key = TypeVar("Key")


@dataclass(frozen=True)
class Edges:
    """The calls between numbered functions: on all devices, as parallel lists, and on some."""

    sources: list[int] = field(default_factory=list[int])
    targets: list[int] = field(default_factory=list[int])
    conditional: list[ConditionalEdge] = field(default_factory=list[ConditionalEdge])

    def add(self, source: int, condition: "Normal", target: int) -> None:
        """Add a call; one that is never made is none."""
        if not isinstance(condition, bool):
            self.conditional.append((source, condition, target))
        elif condition:
            self.sources.append(source)
            self.targets.append(target)

    def gather(self, own: Sequence[int]) -> tuple[list[int], dict[int, ConditionalUses]]:
        """What each function uses on all devices; and on some, by those that do.

        `own` is what their own code uses, as bits.
        """
        used = gather(own, self.sources, self.targets)
        if not self.conditional:
            return used, {}
        return used, _gather_conditional(used, self)


def _gather_conditional(used: Sequence[int], edges: Edges) -> dict[int, ConditionalUses]:
    """Hand what is new at a function to its callers, until nothing is.

    Circles end, since joining conditions gives finitely many.
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
    """Where both conditions hold; functions on one way ask for the same again and again."""
    return conditions.conjunction(one, other)


def simplify(found: Mapping[Key, ConditionalUses], table: Table) -> dict[Key, ConditionalUses]:
    """What is used under conditions, without what every device has for which they hold.

    As far as that can be proven, from the condition itself and from what is known of targets.
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

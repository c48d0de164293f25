"""Which actions go into an add-on image together, and which images name which add-ons.

Actions share an image if they have the same condition, use the same aspects, were optimised at the
same level, and are called by the same images: so an image takes in no code that it does not call,
and each action is in one image, so that whatever is linked as the program runs has it once. Add-ons
are images that call actions too.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from dovetail.conditions import Condition, Normal
from dovetail.device_metadata import GuardedCall
from dovetail.graphs import from_bits, gather
from dovetail.image import Requirements
from dovetail.ir import REFERENCES
from dovetail.postlink.actions import Action
from dovetail.postlink.calls import Calls
from dovetail.postlink.link import Root
from dovetail.postlink.split import EntryPoint, ImagePlan

Named = dict[str, Condition]
"""Pairs of add-ons by identifier, with the condition under which the real one is taken."""


@dataclass(frozen=True)
class AddOnPair:
    """A real add-on image, and the stub that stands in for it."""

    identifier: str
    actions: tuple[Action, ...]
    plan: ImagePlan
    """Of the real one."""
    named: Named
    """The pairs that the real one needs."""


@dataclass(frozen=True)
class AddOnPlans:
    """The add-ons of a program."""

    actions: tuple[Action, ...]
    """All of them, also those that no image comes to call."""
    pairs: tuple[AddOnPair, ...]
    named: tuple[Named, ...]
    """By each image of the plans, in their order."""


def plan_add_ons(
    actions: Sequence[Action],
    guarded_calls: Iterable[GuardedCall],
    calls: Calls,
    plans: Sequence[ImagePlan],
    used: Mapping[str, int],
    levels: Mapping[str, int],
) -> AddOnPlans:
    """The pairs, in the order in which images come to name them.

    `used` has the aspects of each function, as bits, `levels` what it was optimised at, if known.
    """
    callers = _Callers.of(actions, guarded_calls, calls, plans)
    block_of = _blocks(actions, callers, used, levels)
    order = list(dict.fromkeys(block_of[action] for action in callers.order))
    identifiers = {block: str(number) for number, block in enumerate(order, 1)}

    def named(called: Iterable[int]) -> Named:
        blocks = {block_of[action]: actions[action].condition for action in called}
        return {identifiers[block]: blocks[block] for block in order if block in blocks}

    pairs: list[AddOnPair] = []
    for block in order:
        members = [action for action in sorted(block_of) if block_of[action] == block]
        below = {called for member in members for called in callers.called_by[member]}
        own = tuple(actions[member] for member in members)
        plan = _plan(own, used.get(own[0].origin, 0), levels.get(own[0].origin))
        # What is in the image itself needs no other.
        pairs.append(AddOnPair(identifiers[block], own, plan, named(below - set(members))))
    return AddOnPlans(tuple(actions), tuple(pairs), tuple(map(named, callers.called_in)))


@dataclass(frozen=True)
class _Callers:
    """Which actions, by number, images and other actions call."""

    called_in: list[list[int]]
    """By each image of the plans."""
    called_by: list[list[int]]
    """By each action."""
    order: list[int]
    """All that images may come to call, those first that they call first."""

    @classmethod
    def of(
        cls,
        actions: Sequence[Action],
        guarded_calls: Iterable[GuardedCall],
        calls: Calls,
        plans: Sequence[ImagePlan],
    ) -> "_Callers":
        numbers: dict[tuple[str, Normal], int] = {a[:2]: n for n, a in enumerate(actions)}
        own = [0] * calls.node_count
        for call in guarded_calls:
            own[calls.number_of[call.caller]] |= 1 << numbers[call.action, call.condition]
        reached = gather(own, *calls.edges(REFERENCES))

        def called(symbols: Iterable[str]) -> list[int]:
            bits = 0
            for symbol in symbols:
                bits |= reached[calls.number_of[symbol]]
            return list(from_bits(bits))

        called_in = [called(plan.symbols) for plan in plans]
        called_by = [called([action.origin]) for action in actions]
        first = dict.fromkeys(action for each in called_in for action in each)
        return cls(called_in, called_by, _breadth_first(first, called_by))


def _breadth_first(first: Iterable[int], successors: Sequence[Sequence[int]]) -> list[int]:
    found = dict.fromkeys(first)
    order = list(found)
    for action in order:
        for below in successors[action]:
            if below not in found:
                found[below] = None
                order.append(below)
    return order


def _blocks(
    actions: Sequence[Action],
    callers: _Callers,
    used: Mapping[str, int],
    levels: Mapping[str, int],
) -> dict[int, object]:
    """Which actions stay together: those that nothing tells apart, neither they nor their callers.

    They are parted by what they are themselves and by the images that call them; then by who among
    the others calls them, until no part falls apart any more.
    """
    callers_of: dict[int, list[int]] = {action: [] for action in callers.order}
    for action in callers.order:
        for below in callers.called_by[action]:
            callers_of[below].append(action)
    blocks: dict[int, object] = {
        action: (
            actions[action].condition,
            used.get(actions[action].origin, 0),
            levels.get(actions[action].origin),
            tuple(n for n, called in enumerate(callers.called_in) if action in called),
        )
        for action in callers.order
    }
    while True:
        finer = _numbered(
            {a: (blocks[a], frozenset(blocks[c] for c in callers_of[a])) for a in blocks}
        )
        if len(set(finer.values())) == len(set(blocks.values())):
            return finer
        blocks = finer


def _numbered(keys: Mapping[int, object]) -> dict[int, object]:
    """Equal keys by equal numbers, which are quicker to compare."""
    numbers: dict[object, int] = {}
    return {action: numbers.setdefault(key, len(numbers)) for action, key in keys.items()}


def _plan(actions: Iterable[Action], used: int, optimization: int | None) -> ImagePlan:
    requirements = Requirements(tuple(from_bits(used)))
    entries = (
        EntryPoint(
            Root(action.symbol, is_kernel=False, source=""),
            requirements,
            optimization,
            action=action.origin,
        )
        for action in actions
    )
    return ImagePlan(tuple(entries), requirements)

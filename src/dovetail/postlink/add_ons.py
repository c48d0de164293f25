"""Which actions go into an add-on image together, and which images name which add-ons.

Actions share an image if they have the same condition, use the same aspects, were optimised at the
same level, and are called by the same images: so an image takes in no code that it does not call,
and each action is in one image, so that whatever is linked as the program runs has it once. Add-ons
are images that call actions too.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from dovetail.conditions import Condition
from dovetail.image import ConditionalCall
from dovetail.postlink.actions import Action
from dovetail.postlink.called_actions import CalledActions
from dovetail.postlink.split import ImagePlan, entry_of_action


@dataclass(frozen=True)
class NeededAddOns:
    """What an image has in add-ons; nothing, for most."""

    named: dict[str, Condition] = field(default_factory=dict[str, Condition])
    """Pairs by identifier, with the condition under which the real one is taken."""
    calls: dict[str, list[ConditionalCall]] = field(
        default_factory=dict[str, list[ConditionalCall]]
    )
    """By function that is entered from outside, what it comes to call of them: several share a
    pair, and each of them calls some of it."""


class AddOnPair(NamedTuple):
    """A real add-on image, and the stub that stands in for it."""

    identifier: str
    actions: tuple[Action, ...]
    plan: ImagePlan
    """Of the real one."""
    needed: NeededAddOns
    """By the real one."""


class AddOnPlans(NamedTuple):
    """The add-ons of a program."""

    pairs: tuple[AddOnPair, ...]
    needed: tuple[NeededAddOns, ...]
    """By each image of the plans, in their order."""


def plan_add_ons(
    called: CalledActions,
    plans: Sequence[ImagePlan],
    used: Mapping[str, int],
    levels: Mapping[str, int],
) -> AddOnPlans:
    """The pairs, in the order in which images come to name them.

    `used` has the aspects of each function, as bits, `levels` what it was optimised at, if known.
    """
    actions = called.actions
    called_in = [called.by(plan.symbols) for plan in plans]
    reached = called.and_behind(action for each in called_in for action in each)
    block_of = _blocks(called, called_in, reached, used, levels)
    order = list(dict.fromkeys(block_of[action] for action in reached))
    identifiers = {block: str(number) for number, block in enumerate(order, 1)}

    def needed(
        others: Iterable[int], symbols: Iterable[str], members: Iterable[int]
    ) -> NeededAddOns:
        """By an image of some functions or actions, which calls these others."""
        blocks = {block_of[action]: actions[action].condition for action in others}
        if not blocks:
            return NeededAddOns()
        named = {identifiers[block]: blocks[block] for block in order if block in blocks}
        return NeededAddOns(named, called.made_by(symbols, members))

    pairs: list[AddOnPair] = []
    for block in order:
        members = [action for action in sorted(block_of) if block_of[action] == block]
        below = {action for member in members for action in called.by_action[member]}
        own = tuple(actions[member] for member in members)
        entries = tuple(entry_of_action(action, used, levels) for action in own)
        plan = ImagePlan(entries, entries[0].requirements)
        # What is in the image itself needs no other.
        others = below - set(members)
        pairs.append(AddOnPair(identifiers[block], own, plan, needed(others, (), members)))
    by_plans = zip(plans, called_in, strict=True)
    return AddOnPlans(
        tuple(pairs), tuple(needed(others, plan.symbols, ()) for plan, others in by_plans)
    )


def _blocks(
    called: CalledActions,
    called_in: Sequence[Sequence[int]],
    reached: Sequence[int],
    used: Mapping[str, int],
    levels: Mapping[str, int],
) -> dict[int, object]:
    """Which actions stay together: those that nothing tells apart, neither they nor their callers.

    They are parted by what they are themselves and by the images that call them; then by who among
    the others calls them, until no part falls apart any more.
    """
    callers_of: dict[int, list[int]] = {action: [] for action in reached}
    for action in reached:
        for below in called.by_action[action]:
            callers_of[below].append(action)
    actions = called.actions
    blocks: dict[int, object] = {
        action: (
            actions[action].condition,
            used.get(actions[action].origin, 0),
            levels.get(actions[action].origin),
            tuple(n for n, named in enumerate(called_in) if action in named),
        )
        for action in reached
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

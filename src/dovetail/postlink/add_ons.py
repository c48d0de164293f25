"""Plan add-on images: which actions share an image, and which images need which add-ons.

Actions share an add-on if they have the same condition, aspects, optimization level and calling
images. So add-ons contain no code that an image does not call, and each action is in exactly one
add-on, so that linked images define it once. Add-ons can call actions themselves.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from dovetail.conditions import Condition
from dovetail.image import ActionCall
from dovetail.postlink.actions import Action
from dovetail.postlink.called_actions import CalledActions
from dovetail.postlink.split import ImagePlan, entry_of_action


@dataclass(frozen=True)
class NeededAddOns:
    """The add-ons that an image needs; none for most images."""

    named: dict[str, Condition] = field(default_factory=dict[str, Condition])
    """The identifiers of add-on pairs, with the condition for linking the real one."""
    calls: dict[str, list[ActionCall]] = field(default_factory=dict[str, list[ActionCall]])
    """The calls of add-ons by each entry point, including indirect ones."""


class AddOnPair(NamedTuple):
    """A real add-on image, and the stub that replaces it."""

    identifier: str
    actions: tuple[Action, ...]
    plan: ImagePlan
    """The plan of the real image."""
    needed: NeededAddOns
    """The add-ons that the real image needs."""


class AddOnPlans(NamedTuple):
    """The add-ons of a program."""

    pairs: tuple[AddOnPair, ...]
    needed: tuple[NeededAddOns, ...]
    """The add-ons that each planned image needs, in the order of the plans."""


def plan_add_ons(
    called: CalledActions,
    plans: Sequence[ImagePlan],
    used: Mapping[str, int],
    levels: Mapping[str, int],
) -> AddOnPlans:
    """Return the pairs, in the order in which images need them.

    `used` contains the aspects of functions as bits, `levels` their known optimization levels.
    """
    actions = called.actions
    called_in = [called.by(plan.symbols) for plan in plans]
    reached = called.with_callees(action for each in called_in for action in each)
    block_of = _partition(called, called_in, reached, used, levels)
    order = list(dict.fromkeys(block_of[action] for action in reached))
    identifiers = {block: str(number) for number, block in enumerate(order, 1)}

    def needed(
        others: Iterable[int], symbols: Iterable[str], members: Iterable[int]
    ) -> NeededAddOns:
        """Return the add-ons for an image that contains symbols and members and calls others."""
        blocks = {block_of[action]: actions[action].condition for action in others}
        if not blocks:
            return NeededAddOns()
        named = {identifiers[block]: blocks[block] for block in order if block in blocks}
        return NeededAddOns(named, called.conditional_calls_of(symbols, members))

    pairs: list[AddOnPair] = []
    for block in order:
        members = [action for action in sorted(block_of) if block_of[action] == block]
        callees = {action for member in members for action in called.by_action[member]}
        own = tuple(actions[member] for member in members)
        entries = tuple(entry_of_action(action, used, levels) for action in own)
        plan = ImagePlan(entries, entries[0].requirements)
        # Actions in the image itself need no add-on.
        others = callees - set(members)
        pairs.append(AddOnPair(identifiers[block], own, plan, needed(others, (), members)))
    by_plans = zip(plans, called_in, strict=True)
    return AddOnPlans(
        tuple(pairs), tuple(needed(others, plan.symbols, ()) for plan, others in by_plans)
    )


def _partition(
    called: CalledActions,
    called_in: Sequence[Sequence[int]],
    reached: Sequence[int],
    used: Mapping[str, int],
    levels: Mapping[str, int],
) -> dict[int, object]:
    """Return the block of each action; actions in a block share an add-on.

    The partition is refined: actions are first separated by condition, aspects, level and calling
    images, and then by the blocks of the actions that call them, until it is stable.
    """
    callers_of: dict[int, list[int]] = {action: [] for action in reached}
    for action in reached:
        for callee in called.by_action[action]:
            callers_of[callee].append(action)
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
    """Replace keys by numbers, which are faster to compare."""
    numbers: dict[object, int] = {}
    return {action: numbers.setdefault(key, len(numbers)) for action, key in keys.items()}

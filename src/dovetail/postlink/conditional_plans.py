"""What of an image is called under conditions, where that stays in the image."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from dovetail.conditions import Condition
from dovetail.graphs import from_bits
from dovetail.image import ConditionalAspects, ConditionalCall
from dovetail.postlink.called_actions import CalledActions
from dovetail.postlink.foreign_calls import ForeignCalls
from dovetail.postlink.split import EntryPoint, ImagePlan, entry_of_action


class ConditionalPlan(NamedTuple):
    """What goes into an image for several devices."""

    plan: ImagePlan
    """With its actions, those first that its entry points come to call first."""
    conditions: dict[str, Condition]
    """By action, when it is called."""
    calls: dict[str, list[ConditionalCall]]
    """By entry point and action, what it comes to call through calls that it always makes."""
    imports: dict[str, list[str]]
    """By action, the foreign functions that it comes to call so, and no entry point does."""

    @property
    def entered(self) -> tuple[EntryPoint, ...]:
        """All that has requirements of its own."""
        return (*self.plan.entry_points, *self.plan.actions)

    @property
    def aspects_in_common(self) -> ConditionalAspects:
        """What all kernels use under the same conditions; nothing if there is a difference."""
        if not self.plan.actions:
            return {}
        kernels = [entry for entry in self.plan.entry_points if entry.root.is_kernel]
        uses = {kernel.conditional for kernel in kernels}
        if len(uses) != 1:
            return {}
        (of_all,) = uses
        return {condition: tuple(from_bits(bits)) for condition, bits in sorted(of_all)}


def plan_conditional(
    called: CalledActions,
    foreign: ForeignCalls,
    plans: Sequence[ImagePlan],
    used: Mapping[str, int],
    levels: Mapping[str, int],
) -> list[ConditionalPlan]:
    """The images with their actions, in the same order.

    `used` has the aspects of each function, as bits, `levels` what it was optimised at, if known.
    """
    return [_planned(called, foreign, plan, used, levels) for plan in plans]


def _planned(
    called: CalledActions,
    foreign: ForeignCalls,
    plan: ImagePlan,
    used: Mapping[str, int],
    levels: Mapping[str, int],
) -> ConditionalPlan:
    numbers = called.and_behind(called.by(plan.symbols))
    own = [called.actions[number] for number in numbers]
    always = foreign.by(plan.symbols)
    return ConditionalPlan(
        replace(plan, actions=tuple(entry_of_action(each, used, levels) for each in own)),
        {action.symbol: action.condition for action in own},
        called.made_by(plan.symbols, numbers),
        {action.symbol: foreign.named(foreign.by([action.origin]) & ~always) for action in own},
    )

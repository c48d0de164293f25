"""Plan images that contain the actions that they call conditionally."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from dovetail.conditions import Condition
from dovetail.graphs import from_bits
from dovetail.image import ActionCall, ConditionalAspects
from dovetail.postlink.called_actions import CalledActions
from dovetail.postlink.imports import ImportedCalls
from dovetail.postlink.split import EntryPoint, ImagePlan, entry_of_action


class ConditionalPlan(NamedTuple):
    """The plan of an image that is shared by different devices."""

    plan: ImagePlan
    """The plan including actions, in breadth-first order of their calls."""
    conditions: dict[str, Condition]
    """The condition of each action."""
    calls: dict[str, list[ActionCall]]
    """The conditional calls of each entry point and action, including indirect ones."""
    imports: dict[str, list[str]]
    """The imported functions that each action calls and no entry point calls unconditionally."""

    @property
    def entered(self) -> tuple[EntryPoint, ...]:
        """The entry points and actions, each of which has its own requirements."""
        return (*self.plan.entry_points, *self.plan.actions)

    @property
    def aspects_in_common(self) -> ConditionalAspects:
        """The conditionally used aspects of the kernels if they are the same, else empty."""
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
    imported: ImportedCalls,
    plans: Sequence[ImagePlan],
    used: Mapping[str, int],
    levels: Mapping[str, int],
) -> list[ConditionalPlan]:
    """Return the plans with actions, in the same order.

    `used` contains the aspects of functions as bits, `levels` their known optimization levels.
    """
    return [_planned(called, imported, plan, used, levels) for plan in plans]


def _planned(
    called: CalledActions,
    imported: ImportedCalls,
    plan: ImagePlan,
    used: Mapping[str, int],
    levels: Mapping[str, int],
) -> ConditionalPlan:
    """Return the plan of a conditional image, with the actions that its entry points reach."""
    numbers = called.with_callees(called.by(plan.symbols))
    own = [called.actions[number] for number in numbers]
    always = imported.by(plan.symbols)
    return ConditionalPlan(
        replace(plan, actions=tuple(entry_of_action(each, used, levels) for each in own)),
        {action.symbol: action.condition for action in own},
        called.conditional_calls_of(plan.symbols, numbers),
        {action.symbol: imported.named(imported.by([action.origin]) & ~always) for action in own},
    )

"""From linked modules to device images: propagate aspects, split, describe.

    linked = link_modules(modules)
    program = PostLinked.of(linked, SplitMode.AUTO)
    for finding in find_in_program(linked, program.used, conditional=program.conditional): ...
    for image in program.images(): ...

What is called on some devices alone goes into add-on images, behind all others; or, where kernels
for different devices are to share images, it stays in these.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

from dovetail.analysis import ConditionalUses
from dovetail.artifacts import DeviceImage
from dovetail.device_metadata import CONDITIONAL_CALLER, GuardedCall
from dovetail.ir import CallGraph, EdgeKind
from dovetail.postlink.actions import (
    Action,
    call_actions,
    find_actions,
    keep_apart,
    refuse_undefined_actions,
    settle_calls,
)
from dovetail.postlink.add_ons import AddOnPlans, plan_add_ons
from dovetail.postlink.called_actions import CalledActions
from dovetail.postlink.calls import Calls
from dovetail.postlink.conditional_plans import ConditionalPlan, plan_conditional
from dovetail.postlink.device_globals import (
    device_globals,
    refuse_in_actions,
    refuse_shared_image_scope,
)
from dovetail.postlink.foreign_calls import ForeignCalls
from dovetail.postlink.images import ImageMaker
from dovetail.postlink.imports import importable
from dovetail.postlink.indirect_targets import IndirectTargets
from dovetail.postlink.link import LinkedProgram
from dovetail.postlink.options import OptionalFeatures, SplitMode
from dovetail.postlink.propagate import propagate_aspects
from dovetail.postlink.properties import WantedProperties
from dovetail.postlink.split import ImagePlan, find_entry_points, optimization_levels, plan_images
from dovetail.targets import Table


@dataclass(frozen=True)
class PostLinked:
    """A program that has been taken apart."""

    linked: LinkedProgram
    calls: Calls
    used: dict[str, int]
    """The aspects that each function uses, as bits; without functions that use none."""
    plans: tuple[ImagePlan, ...]
    conditional: dict[str, ConditionalUses]
    """The aspects that functions use on some devices alone, by condition."""
    guarded_calls: tuple[GuardedCall, ...]
    """Those that are made under conditions."""
    actions: tuple[Action, ...]
    """What they call, also what no image comes to call."""
    add_ons: AddOnPlans
    """None, where what is called under conditions stays in images."""
    conditional_plans: tuple[ConditionalPlan, ...]
    """In the order of the plans, where it does; else none."""

    @classmethod
    def of(
        cls,
        linked: LinkedProgram,
        mode: SplitMode,
        *,
        features: OptionalFeatures = OptionalFeatures.SPLIT,
        only_kernels: bool = False,
        table: Table | None = None,
    ) -> Self:
        """Find out what kernels use and which of them go into an image together.

        `table` is what is known of devices, if that is not the default configuration.
        """
        guarded = settle_calls(linked.module)
        declared = IndirectTargets.of(linked.module)
        calls = Calls(CallGraph.of(linked.module, CONDITIONAL_CALLER), declared=declared)
        used, conditional = propagate_aspects(linked, calls, table)
        is_split = features is OptionalFeatures.SPLIT
        with_guarded = Calls(calls.graph, frozenset(EdgeKind), declared=declared)
        # What counts is what is in images, and so do the calls of what stays there.
        in_images = calls if is_split else with_guarded
        actions = _find_actions(linked, guarded, calls)
        called = CalledActions.of(actions, guarded, calls)
        foreign = ForeignCalls.of(importable(linked.undefined & calls.number_of.keys()), calls)
        # Also what an add-on imports is needed by every kernel of the images that name it.
        imports = foreign.with_actions(called, with_guarded)
        entry_points = find_entry_points(
            linked, used, imports, conditional, only_kernels=only_kernels
        )
        plans = plan_images(entry_points, mode, features, has_indirect_calls=calls.are_indirect)
        refuse_shared_image_scope(linked, in_images, plans, device_globals(linked.module))
        levels = optimization_levels(linked.module) if actions else {}
        return cls(
            linked,
            in_images,
            used,
            tuple(plans),
            conditional,
            tuple(guarded),
            tuple(actions),
            plan_add_ons(called, plans if is_split else (), used, levels),
            tuple(plan_conditional(called, foreign, () if is_split else plans, used, levels)),
        )

    @property
    def image_count(self) -> int:
        """Of all images, add-ons included."""
        return len(self.plans) + 2 * len(self.add_ons.pairs)

    def images(self, wanted: WantedProperties | None = None) -> Iterator[DeviceImage]:
        """The images, in the order of the plans, and the add-ons, each real one before its stub.

        They are made one at a time, so that whoever writes them away keeps one in memory. Before,
        conditional calls in the linked module become plain ones.
        """
        maker = ImageMaker(self._with_plain_calls, self.calls, wanted or WantedProperties())
        if self.conditional_plans:
            for number, planned in enumerate(self.conditional_plans):
                yield maker.conditional_image(planned, is_first=number == 0)
            return
        by_plans = zip(self.plans, self.add_ons.needed, strict=True)
        for number, (plan, add_ons) in enumerate(by_plans):
            yield maker.image(plan, add_ons, is_first=number == 0)
        for pair in self.add_ons.pairs:
            yield maker.real_add_on(pair)
            yield maker.stub_add_on(pair)

    @cached_property
    def _with_plain_calls(self) -> LinkedProgram:
        if self.guarded_calls:
            refuse_undefined_actions(self.linked, self.actions)
            are_apart = not self.conditional_plans
            if are_apart:
                refuse_in_actions(self.linked, self.calls, self.actions)
            call_actions(self.linked.module, self.guarded_calls, self.actions)
            if are_apart:
                keep_apart(self.linked.module, self.actions)
        return self.linked


def _find_actions(
    linked: LinkedProgram, guarded: Sequence[GuardedCall], calls: Calls
) -> list[Action]:
    if not guarded:
        return []
    plain = {root.symbol for root in linked.roots} | calls.graph.referred_to()
    variables = {variable.name for variable in linked.module.global_variables()}
    return find_actions(guarded, plain, calls.number_of.keys() | variables)

"""From linked modules to device images: propagate aspects, split, describe.

    linked = link_modules(modules)
    program = PostLinked.of(linked, SplitMode.AUTO)
    for finding in find_in_program(linked, program.used, conditional=program.conditional): ...
    for image in program.images(): ...

Conditionally called functions go into add-on images, after all other images. If kernels for
different devices share images, these functions are in the images of their callers instead.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

from dovetail.analysis import ConditionalUses
from dovetail.artifacts import DeviceImage
from dovetail.device_metadata import CONDITIONAL_CALLER, GuardedCall
from dovetail.ir import CallGraph, EdgeKind
from dovetail.postlink.actions import (
    Action,
    call_actions_directly,
    find_actions,
    mark_for_own_images,
    refuse_undefined_actions,
    resolve_constant_conditions,
)
from dovetail.postlink.calls import Calls
from dovetail.postlink.device_globals import (
    device_globals,
    refuse_in_actions,
    refuse_shared_image_scope,
)
from dovetail.postlink.images import ImageBuilder
from dovetail.postlink.imports import ImportedCalls, importable
from dovetail.postlink.indirect_targets import IndirectTargets
from dovetail.postlink.link import LinkedProgram
from dovetail.postlink.options import OptionalFeatures, SplitMode
from dovetail.postlink.propagate import propagate_aspects
from dovetail.postlink.properties import WantedProperties
from dovetail.postlink.split import ImagePlan, find_entry_points, optimization_levels, plan_images
from dovetail.targets import Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dovetail.postlink.add_ons import AddOnPair, AddOnPlans
    from dovetail.postlink.called_actions import CalledActions
    from dovetail.postlink.conditional_plans import ConditionalPlan


@dataclass(frozen=True)
class PostLinked:
    """A program that is planned to be split into images."""

    linked: LinkedProgram
    calls: Calls
    used: dict[str, int]
    """The aspects that functions use, as bits; functions without aspects are left out."""
    plans: tuple[ImagePlan, ...]
    conditional: dict[str, ConditionalUses]
    """The aspects that functions use only on some devices, by condition."""
    guarded_calls: tuple[GuardedCall, ...]
    """The conditional calls of the program."""
    actions: tuple[Action, ...]
    """The functions that they call, including those that no image needs."""
    add_ons: "AddOnPlans | None"
    """The plans of add-on images; None if there are no actions or they are in other images."""
    conditional_plans: "tuple[ConditionalPlan, ...]"
    """With `OptionalFeatures.CONDITIONAL`, the plans with actions, in the order of `plans`."""

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
        """Propagate aspects and plan the images of a program.

        `table` is the table of targets, by default the configured one.
        """
        guarded = resolve_constant_conditions(linked.module)
        declared = IndirectTargets.of(linked.module)
        calls = Calls(CallGraph.of(linked.module, CONDITIONAL_CALLER), declared=declared)
        used, conditional = propagate_aspects(linked, calls, table)
        is_split = features is OptionalFeatures.SPLIT
        with_guarded = Calls(calls.graph, frozenset(EdgeKind), declared=declared)
        # Conditional calls count if the actions are in the images of their callers.
        in_images = calls if is_split else with_guarded
        actions = _find_actions(linked, guarded, calls)
        called = _called_actions(actions, guarded, calls) if actions or not is_split else None
        imported = ImportedCalls.of(importable(linked.undefined & calls.number_of.keys()), calls)
        # Imports of actions count too: they are linked for all kernels of an image.
        imports = imported.with_actions(called, with_guarded) if called else imported.always
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
            _in_add_ons(called, plans, used, levels) if called and is_split else None,
            _conditional(called, imported, plans, used, levels) if called and not is_split else (),
        )

    @property
    def image_count(self) -> int:
        """The number of images, including add-ons."""
        return len(self.plans) + 2 * len(self._add_on_pairs)

    def images(self, wanted: WantedProperties | None = None) -> Iterator[DeviceImage]:
        """Yield the images in the order of the plans, then the add-ons, each before its stub.

        Images are built one at a time, so that a caller that writes them has one in memory. First,
        conditional calls in the linked module are replaced by direct calls.
        """
        builder = ImageBuilder(self._with_direct_calls, self.calls, wanted or WantedProperties())
        if self.conditional_plans:
            for number, planned in enumerate(self.conditional_plans):
                yield builder.conditional_image(planned, is_first=number == 0)
            return
        needed = self.add_ons.needed if self.add_ons else (None,) * len(self.plans)
        by_plans = zip(self.plans, needed, strict=True)
        for number, (plan, add_ons) in enumerate(by_plans):
            yield builder.image(plan, add_ons, is_first=number == 0)
        for pair in self._add_on_pairs:
            yield builder.real_add_on(pair)
            yield builder.stub_add_on(pair)

    @property
    def _add_on_pairs(self) -> "Sequence[AddOnPair]":
        return self.add_ons.pairs if self.add_ons else ()

    @cached_property
    def _with_direct_calls(self) -> LinkedProgram:
        """Replace guarded calls in the module by direct calls of their actions, and return it."""
        if self.guarded_calls:
            refuse_undefined_actions(self.linked, self.actions)
            has_add_ons = not self.conditional_plans
            if has_add_ons:
                refuse_in_actions(self.linked, self.calls, self.actions)
            call_actions_directly(self.linked.module, self.guarded_calls, self.actions)
            if has_add_ons:
                mark_for_own_images(self.linked.module, self.actions)
        return self.linked


def _find_actions(
    linked: LinkedProgram, guarded: Sequence[GuardedCall], calls: Calls
) -> list[Action]:
    """Return the actions of guarded calls."""
    if not guarded:
        return []
    plain = {root.symbol for root in linked.roots} | calls.graph.referenced_functions()
    variables = {variable.name for variable in linked.module.global_variables()}
    return find_actions(guarded, plain, calls.number_of.keys() | variables)


# Imported late below: most programs call no functions conditionally.


def _called_actions(
    actions: Sequence[Action], guarded: Sequence[GuardedCall], calls: Calls
) -> "CalledActions":
    from dovetail.postlink.called_actions import CalledActions

    return CalledActions.of(actions, guarded, calls)


def _in_add_ons(
    called: "CalledActions",
    plans: Sequence[ImagePlan],
    used: Mapping[str, int],
    levels: Mapping[str, int],
) -> "AddOnPlans":
    from dovetail.postlink.add_ons import plan_add_ons

    return plan_add_ons(called, plans, used, levels)


def _conditional(
    called: "CalledActions",
    imported: ImportedCalls,
    plans: Sequence[ImagePlan],
    used: Mapping[str, int],
    levels: Mapping[str, int],
) -> "tuple[ConditionalPlan, ...]":
    from dovetail.postlink.conditional_plans import plan_conditional

    return tuple(plan_conditional(called, imported, plans, used, levels))

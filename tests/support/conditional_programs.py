"""Property sets of mock images whose code is for several devices."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from image_sets import sets_of

from dovetail.conditions import ARCHITECTURE, ASPECT, NOT, Condition, read_condition
from dovetail.image import (
    ActionCall,
    Constants,
    PropertySets,
    Requirements,
    numbered_reqs,
    single_requirements,
)

FIRST = 1 << 31
Calls = Mapping[str, Sequence[tuple[Condition, str]]]


@dataclass(frozen=True)
class Conditional:
    """The conditional properties of an image; constants are numbered by their first occurrence."""

    kernels: Mapping[str, Requirements] = field(default_factory=dict[str, Requirements])
    functions: Mapping[str, Requirements] = field(default_factory=dict[str, Requirements])
    calls: Calls = field(default_factory=dict[str, Sequence[tuple[Condition, str]]])
    """By caller, conditions with what is called."""
    imports: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    filtered: Mapping[str, Mapping[str, Sequence[str]]] = field(
        default_factory=dict[str, Mapping[str, Sequence[str]]]
    )

    @property
    def constants(self) -> Constants:
        whole = (*self.kernels.values(), *self.functions.values())
        singles = dict.fromkeys(each for one in whole for each in single_requirements(one))
        made = [call for calls in self.calls.values() for call in calls]
        leaves = dict.fromkeys(leaf for condition, _ in made for leaf in leaves_of(condition))
        return Constants(
            dict(enumerate(singles, FIRST)),
            dict(enumerate(leaves, FIRST + len(singles))),
        )

    @property
    def sets(self) -> PropertySets:
        constants = self.constants
        return sets_of(
            kernel_reqs=numbered_reqs(self.kernels, constants.required),
            function_reqs=numbered_reqs(self.functions, constants.required),
            asked=constants.asked,
            conditional_calls=_made(self.calls),
            conditional_imports=self.imports,
            filtered_kernels=self.filtered,
        )


def calling(calls: Calls) -> PropertySets:
    """Return the property set for an image's conditional calls."""
    return sets_of(conditional_calls=_made(calls))


def _made(calls: Calls) -> dict[str, list[ActionCall]]:
    return {caller: [ActionCall(*call) for call in each] for caller, each in calls.items()}


def leaves_of(condition: Condition) -> list[Condition]:
    """Return each aspect and architecture that a condition names."""
    ints = iter(condition)
    return [read_condition((node, next(ints))) for node in ints if node in (ASPECT, ARCHITECTURE)]


def unless(condition: Condition) -> Condition:
    """Return the negation of a condition."""
    return read_condition((NOT, *condition))

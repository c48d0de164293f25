"""Property sets of made-up images whose code is for several devices."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from dovetail.conditions import ARCHITECTURE, ASPECT, NOT, Condition, read_condition
from dovetail.image import (
    CONDITIONAL_CALLS_SET,
    CONDITIONAL_IMPORTS_SET,
    FILTERED_KERNELS_SET,
    FUNCTION_REQS_SET,
    KERNEL_REQS_SET,
    SPECIAL_CONSTANTS_SET,
    ConditionalCall,
    Constants,
    PropertySets,
    Requirements,
    conditional_call_properties,
    conditional_import_properties,
    filtered_kernel_properties,
    reqs_properties,
    single_requirements,
    special_constant_properties,
)

FIRST = 1 << 31
Calls = Mapping[str, Sequence[tuple[Condition, str]]]


@dataclass(frozen=True)
class Conditional:
    """What an image says of its functions; constants are numbered as they are first met."""

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
        sets: PropertySets = {
            KERNEL_REQS_SET: reqs_properties(KERNEL_REQS_SET, self.kernels, constants.required),
            FUNCTION_REQS_SET: reqs_properties(
                FUNCTION_REQS_SET, self.functions, constants.required
            ),
            SPECIAL_CONSTANTS_SET: special_constant_properties(constants),
            **calling(self.calls),
            CONDITIONAL_IMPORTS_SET: conditional_import_properties(self.imports),
            FILTERED_KERNELS_SET: filtered_kernel_properties(self.filtered),
        }
        return {name: properties for name, properties in sets.items() if properties}


def calling(calls: Calls) -> PropertySets:
    """What an image says of what its functions call under conditions."""
    made = {caller: [ConditionalCall(*call) for call in each] for caller, each in calls.items()}
    return {CONDITIONAL_CALLS_SET: conditional_call_properties(made)}


def leaves_of(condition: Condition) -> list[Condition]:
    """Each aspect and architecture that a condition names."""
    ints = iter(condition)
    return [read_condition((node, next(ints))) for node in ints if node in (ASPECT, ARCHITECTURE)]


def unless(condition: Condition) -> Condition:
    """The opposite."""
    return read_condition((NOT, *condition))

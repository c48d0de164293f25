"""What tells images with code for some devices alone from others, as most are.

Images with add-ons are others: each of these is for some devices as a whole. They say which of
their functions call what under conditions, in the same set.

Whoever knows that an image is none of them need not load what reads their sets.
"""

from dovetail.image.property_sets import PropertySets
from dovetail.image.requirements import DEVICE_REQUIREMENTS_SET

KERNEL_REQS_SET = "SYCL/kernel reqs"
FUNCTION_REQS_SET = "Dovetail/function reqs"
SPECIAL_CONSTANTS_SET = "SYCL/special specialization constants"
CONDITIONAL_CALLS_SET = "Dovetail/conditional calls"
CONDITIONAL_IMPORTS_SET = "Dovetail/conditional imports"

CONDITION = "condition-"
"""What keys in "SYCL/device requirements" begin with that have conditions."""

_SETS = (
    KERNEL_REQS_SET,
    FUNCTION_REQS_SET,
    SPECIAL_CONSTANTS_SET,
    CONDITIONAL_IMPORTS_SET,
)


def has_conditions(sets: PropertySets) -> bool:
    """Whether something in an image, or that it requires, depends on the device."""
    required = sets.get(DEVICE_REQUIREMENTS_SET, {})
    return any(name in sets for name in _SETS) or any(key.startswith(CONDITION) for key in required)

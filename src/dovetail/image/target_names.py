"""The names of targets that programs carry, in sets of our own: each a key with the number 1.

"Dovetail/targets" stands with an IR module that is for some devices only: macros and `if constexpr`
have made it different from what other devices would need. "Dovetail/fixed targets" stands with an
image whose program is meant to run on those targets and on no other.
"""

from collections.abc import Iterable

from dovetail.image.property_sets import PropertySets
from dovetail.image.symbols import symbol_properties, symbols_in

TARGETS_SET = "Dovetail/targets"
FIXED_TARGETS_SET = "Dovetail/fixed targets"


def target_properties(names: Iterable[str]) -> dict[str, int]:
    """What goes into either set."""
    return symbol_properties(names)


def targets_of(sets: PropertySets) -> tuple[str, ...]:
    """The targets that IR is for; none if it is for all devices that take it."""
    return symbols_in(sets, TARGETS_SET)


def fixed_targets_of(sets: PropertySets) -> tuple[str, ...]:
    """The targets that an image's program is fixed to; none if nobody said so."""
    return symbols_in(sets, FIXED_TARGETS_SET)

"""The names of targets that programs carry, in sets of our own.

"Dovetail/targets" stands with code that is for some devices only: macros and `if constexpr` have
made it different from what other devices would need. The others stand with an image.
"Dovetail/fixed targets" has those that its program is meant to run on, if no other;
"Dovetail/filtered targets" those that it was not compiled for, with what they lack;
"Dovetail/filtered kernels" those without some of its kernels, with what each lacks for them;
"Dovetail/failed targets" those whose compilers failed; "Dovetail/resolved targets" those for which
conditions in its code were decided when it was built. "Dovetail/family" has the family of device IR
that it was made from, if that is not SPIR-V's. A name is a key with the number 1, but for the
filtered, where it has a text.
"""

from collections.abc import Iterable, Mapping, Sequence

from dovetail.image.property_sets import PropertySets
from dovetail.image.symbols import symbol_properties, symbols_in
from dovetail.image.typed_set import SetReader, SetWriter

TARGETS_SET = "Dovetail/targets"
FIXED_TARGETS_SET = "Dovetail/fixed targets"
FILTERED_TARGETS_SET = "Dovetail/filtered targets"
FILTERED_KERNELS_SET = "Dovetail/filtered kernels"
FAILED_TARGETS_SET = "Dovetail/failed targets"
RESOLVED_TARGETS_SET = "Dovetail/resolved targets"

FAMILY_SET = "Dovetail/family"

_USUAL_FAMILY = "spirv64"
_BETWEEN = "\n"
"""What separates the things that a target lacks, and kernels with what it lacks for each."""
_WITHIN = "\t"
"""What separates a kernel from what is lacking for it, and these things."""


def target_properties(names: Iterable[str]) -> dict[str, int]:
    """What goes into a set of names."""
    return symbol_properties(names)


def targets_of(sets: PropertySets) -> tuple[str, ...]:
    """The targets that IR is for; none if it is for all devices that take it."""
    return symbols_in(sets, TARGETS_SET)


def fixed_targets_of(sets: PropertySets) -> tuple[str, ...]:
    """The targets that an image's program is fixed to; none if nobody said so."""
    return symbols_in(sets, FIXED_TARGETS_SET)


def failed_targets_of(sets: PropertySets) -> tuple[str, ...]:
    """The targets whose compilers failed on an image."""
    return symbols_in(sets, FAILED_TARGETS_SET)


def resolved_targets_of(sets: PropertySets) -> tuple[str, ...]:
    """The targets for which the conditions in an image's code were decided; none if it has none."""
    return symbols_in(sets, RESOLVED_TARGETS_SET)


def filtered_properties(lacking: Mapping[str, Sequence[str]]) -> dict[str, int | bytes]:
    """What goes into the set of filtered targets: by name, what each lacks; none if nothing."""
    into = SetWriter(FILTERED_TARGETS_SET)
    for name, missing in lacking.items():
        if missing:
            into.add_text(name, _BETWEEN.join(missing))
    return into.properties


def filtered_targets_of(sets: PropertySets) -> dict[str, tuple[str, ...]]:
    """What each target lacks that an image was not compiled for, by the target's name."""
    source = SetReader(FILTERED_TARGETS_SET, sets)
    return {name: tuple(source.text(name).split(_BETWEEN)) for name in source}


KernelsLeftOut = Mapping[str, Sequence[str]]
"""By symbol, what is lacking for a kernel."""


def filtered_kernel_properties(lacking: Mapping[str, KernelsLeftOut]) -> dict[str, int | bytes]:
    """What goes into the set of filtered kernels: by target, those that its code is without."""
    into = SetWriter(FILTERED_KERNELS_SET)
    for name, kernels in lacking.items():
        lines = [_WITHIN.join((kernel, *missing)) for kernel, missing in kernels.items()]
        if lines:
            into.add_text(name, _BETWEEN.join(lines))
    return into.properties


def filtered_kernels_of(sets: PropertySets) -> dict[str, dict[str, tuple[str, ...]]]:
    """By target, the kernels that its code is without, each with what is lacking for it."""
    source = SetReader(FILTERED_KERNELS_SET, sets)
    return {name: dict(map(_kernel_left_out, source.text(name).split(_BETWEEN))) for name in source}


def _kernel_left_out(line: str) -> tuple[str, tuple[str, ...]]:
    kernel, *missing = line.split(_WITHIN)
    return kernel, tuple(missing)


def family_properties(family: str) -> dict[str, int]:
    """What goes into the set of an image's family; none for SPIR-V's."""
    return symbol_properties([] if family == _USUAL_FAMILY else [family])


def family_of(sets: PropertySets) -> str:
    """The family of device IR that an image was made from."""
    return next(iter(symbols_in(sets, FAMILY_SET)), _USUAL_FAMILY)

"""Which device compilations a program needs: one for each family, or one for each target.

What a source means on a device is mostly the same for all targets of a family, so they share a run
of the front-end. Where the preprocessor decides what is for which device, or conditions are decided
before code is optimised, each target has a run of its own.
"""

from collections.abc import Iterable
from typing import NamedTuple

from dovetail.frontend import Flags
from dovetail.postlink import OptionalFeatures
from dovetail.targets import Table, Target, default_table
from dovetail.targets.coverage import ANY_INTEL_GPU
from dovetail.targets.ir_family import IRFamily, by_ir_family


class Unit(NamedTuple):
    """Targets that share a run of the front-end, and all steps up to post-link."""

    family: IRFamily
    targets: tuple[Target, ...] = ()
    """None for any device."""
    is_for_one: bool = False
    """Whether the code is for its only target alone."""

    @property
    def own_targets(self) -> tuple[Target, ...]:
        """The target, if the code is for that one alone."""
        return self.targets if self.is_for_one else ()


def units_of(flags: Flags) -> list[Unit]:
    """All units of a program, in the order of the targets."""
    units: list[Unit] = []
    for family, targets in by_ir_family(flags.targets).items():
        if flags.compiles_each_target and targets:
            units += [Unit(family, (target,), True) for target in targets]
        else:
            is_decided = bool(_decided(flags, targets))
            units.append(Unit(family, targets, is_decided))
    return units


def known_targets(configured: Iterable[Target], targets: Iterable[Target] = ()) -> Table:
    """Return the table of targets, with those of the user's files and those that are built for."""
    return default_table().with_targets((*configured, *targets))


def family_words(family: IRFamily) -> tuple[str, ...]:
    """Return which device code a step is about, as `-###` shows it: nothing for the usual one."""
    return () if family is IRFamily.SPIRV64 else (f"-family={family}",)


def resolved_target(flags: Flags, unit: Unit) -> str:
    """The target for which conditions are decided before optimisation; empty if they are not."""
    return _decided(flags, unit.targets)


def features_of(wanted: OptionalFeatures, unit: Unit) -> OptionalFeatures:
    """How kernels of a unit are kept apart: only SPIR-V can be conditional."""
    return wanted if unit.family is IRFamily.SPIRV64 else OptionalFeatures.SPLIT


def are_features_unused(wanted: OptionalFeatures, flags: Flags) -> bool:
    """Whether code was to be conditional, though none of it can be."""
    units = units_of(flags)
    return all(features_of(wanted, unit) is not wanted for unit in units)


def is_resolution_unused(flags: Flags) -> bool:
    """Whether it was said when conditional calls are decided, though nothing decides any."""
    ahead = any(target.toolchain for target in flags.targets)
    return bool(flags.device_if_resolve) and (flags.device_if == "macros" or not ahead)


def _decided(flags: Flags, targets: tuple[Target, ...]) -> str:
    # Drivers that compile as the program runs decide for the device that they find.
    # So does whoever links for GPUs that are not named yet.
    if len(targets) != 1 or not targets[0].toolchain or targets[0].name == ANY_INTEL_GPU:
        return ""
    by_headers = flags.device_if == "macros"
    return "" if by_headers or flags.device_if_resolve == "late" else targets[0].name

"""Device compilations of a program: one for each IR family, or one for each target.

Device code mostly does not depend on the target within a family, so the targets of a family share a
run of the front-end. If the preprocessor resolves conditions, or if they are resolved before
optimization, each target has a separate run.
"""

from collections.abc import Iterable
from typing import NamedTuple

from dovetail.frontend import Flags
from dovetail.postlink import OptionalFeatures
from dovetail.targets import Table, Target, default_table
from dovetail.targets.coverage import ANY_INTEL_GPU
from dovetail.targets.ir_family import IRFamily, by_ir_family


class DeviceCompilation(NamedTuple):
    """Targets that share a run of the front-end over each source, and all steps up to post-link."""

    family: IRFamily
    targets: tuple[Target, ...] = ()
    """Empty for any device."""
    is_for_one: bool = False
    """Whether the code may depend on its only target."""

    @property
    def own_targets(self) -> tuple[Target, ...]:
        """The target, if the code may depend on it; otherwise empty."""
        return self.targets if self.is_for_one else ()


def device_compilations(flags: Flags) -> list[DeviceCompilation]:
    """Return the device compilations of a program, in the order of their targets."""
    compilations: list[DeviceCompilation] = []
    for family, targets in by_ir_family(flags.targets).items():
        if flags.compiles_each_target and targets:
            compilations += [DeviceCompilation(family, (target,), True) for target in targets]
        else:
            is_for_one = bool(_resolved_target(flags, targets))
            compilations.append(DeviceCompilation(family, targets, is_for_one))
    return compilations


def known_targets(configured: Iterable[Target], targets: Iterable[Target] = ()) -> Table:
    """Return the table of targets, including configured ones and those of the build."""
    return default_table().with_targets((*configured, *targets))


def family_words(family: IRFamily) -> tuple[str, ...]:
    """Return the IR family of a step's device code for `-###`; empty for SPIR-V."""
    return () if family is IRFamily.SPIRV64 else (f"-family={family}",)


def resolved_target(flags: Flags, compilation: DeviceCompilation) -> str:
    """Return the target whose conditions are resolved before optimization, or an empty string."""
    return _resolved_target(flags, compilation.targets)


def features_of(wanted: OptionalFeatures, compilation: DeviceCompilation) -> OptionalFeatures:
    """Return how kernels of a device compilation are separated: only SPIR-V can be conditional."""
    return wanted if compilation.family is IRFamily.SPIRV64 else OptionalFeatures.SPLIT


def are_features_unused(wanted: OptionalFeatures, flags: Flags) -> bool:
    """Return whether conditional code was requested, but no compilation supports it."""
    compilations = device_compilations(flags)
    return all(features_of(wanted, compilation) is not wanted for compilation in compilations)


def is_resolution_unused(flags: Flags) -> bool:
    """Return whether `-fsycl-device-if-resolve` has no effect: the build resolves no conditions."""
    ahead = any(target.toolchain for target in flags.targets)
    return bool(flags.device_if_resolve) and (flags.device_if == "macros" or not ahead)


def _resolved_target(flags: Flags, targets: tuple[Target, ...]) -> str:
    """Return the target whose conditions are resolved before optimization, or ""."""
    # Conditions stay open for code that drivers compile at run time, and for `ANY_INTEL_GPU`, which
    # does not identify a device.
    if len(targets) != 1 or not targets[0].toolchain or targets[0].name == ANY_INTEL_GPU:
        return ""
    by_headers = flags.device_if == "macros"
    return "" if by_headers or flags.device_if_resolve == "late" else targets[0].name

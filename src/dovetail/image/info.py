"""The description of an image, apart from its code.

Post-link and code generation fill the fields; `schema.py` maps them to property sets. In a program
that was read from a file, fields are decoded on first access.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dovetail.image.requirements import Requirements
from dovetail.image.target_names import DEFAULT_FAMILY

if TYPE_CHECKING:
    # Starting a program loads this module, and of these only the ones whose sets it has.
    from dovetail.conditions import Condition
    from dovetail.image.add_ons import AddOn
    from dovetail.image.aspect_uses import AspectUse
    from dovetail.image.conditional_calls import ActionCall
    from dovetail.image.conditional_code import ConditionalFunctions
    from dovetail.image.device_globals import DeviceGlobal, ManagedGlobal
    from dovetail.image.kernel_requirements import Reqs
    from dovetail.image.specialization_constants import SpecializationConstant
    from dovetail.image.target_names import FilteredKernels
    from dovetail.kernel_info import KernelInfo


# No comparison and no repr: generating the methods would slow down start-up.
@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class ImageInfo:
    """The description of an image; the defaults describe an image without any property sets."""

    requirements: Requirements = field(default_factory=Requirements)
    """What a device must have for any of its kernels."""
    kernel_names: tuple[str, ...] = ()
    """The symbols of its kernels, whichever toolchain wrote the image."""
    kernels: "tuple[KernelInfo, ...]" = ()
    """Descriptions of its kernels; empty in images of other toolchains."""
    kernel_sizes: Mapping[str, Requirements] = field(default_factory=dict[str, Requirements])
    """By symbol, the sizes that kernels require, without their aspects."""
    asserting_kernels: tuple[str, ...] = ()
    """Kernels that can fail an assertion."""
    opt_level: int | None = None
    """The N of `-ON` that it was compiled with, if known."""
    grf_size: int | None = None
    """Registers per thread on Intel's GPUs, if its kernels request a number."""
    aspect_uses: "Mapping[str, Mapping[str, AspectUse]]" = field(
        default_factory=dict[str, "Mapping[str, AspectUse]"]
    )
    """The first use of each aspect, by entry point, then by aspect name."""

    exports: tuple[str, ...] = ()
    """Functions that other images may call."""
    inline: tuple[str, ...] = ()
    """Exports that other images may define identically."""
    imports: tuple[str, ...] = ()
    """Functions that it calls and that other images must define."""

    device_globals: "tuple[DeviceGlobal, ...]" = ()
    global_variables: Mapping[str, str] = field(default_factory=dict[str, str])
    """The names of device globals in the IR, by identifier."""
    managed_globals: "tuple[ManagedGlobal, ...]" = ()
    """The device globals whose memory this runtime manages."""
    global_accessor: str = ""
    """The accessor kernel, which copies to and from device globals; empty if there is none."""

    specialization_constants: "tuple[SpecializationConstant, ...]" = ()
    """The specialization constants that its code reads, in ascending order of their numbers."""
    specialization_defaults: bytes | None = None
    """The default values of all of them, concatenated."""
    specialization_kinds: Mapping[str, str] = field(default_factory=dict[str, str])
    """By identifier, a letter for each scalar: `i` for an integer, `f` for a floating-point
    number."""

    add_on: "AddOn | None" = None
    """Its pair of add-ons; None if it is not an add-on image."""
    add_ons: "Mapping[str, Condition]" = field(default_factory=dict[str, "Condition"])
    """The pairs of add-ons, one of each of which it needs, with their conditions."""

    kernel_reqs: "Mapping[str, Reqs]" = field(default_factory=dict[str, "Reqs"])
    """Requirements of each kernel, in images whose kernels are for different devices."""
    function_reqs: "Mapping[str, Reqs]" = field(default_factory=dict[str, "Reqs"])
    """Requirements of exported functions and of actions."""
    asked: "Mapping[int, Condition]" = field(default_factory=dict[int, "Condition"])
    """The aspect or architecture that a constant in its code tests, by the constant's `SpecId`."""
    conditional_calls: "Mapping[str, tuple[ActionCall, ...]]" = field(
        default_factory=dict[str, "tuple[ActionCall, ...]"]
    )
    """By caller, its calls under conditions, within the image or into add-ons."""
    conditional_imports: Mapping[str, tuple[str, ...]] = field(
        default_factory=dict[str, tuple[str, ...]]
    )
    """By action, the symbols that only it imports."""
    conditional_aspects: "Mapping[Condition, tuple[int, ...]]" = field(
        default_factory=dict["Condition", tuple[int, ...]]
    )
    """By condition, the aspects that all of its kernels use where the condition holds."""
    conditional_functions: "ConditionalFunctions | None" = None
    """Presence conditions of its functions, if its code cannot express them."""

    family: str = DEFAULT_FAMILY
    """Its IR family; code of different ones cannot be linked."""
    resolved_targets: tuple[str, ...] = ()
    """The targets for which conditions in its code were resolved; empty without such conditions."""
    compile_target: str = ""
    """DPC++'s name of the only target that it is built for; empty if there are several."""
    fixed_targets: tuple[str, ...] = ()
    """The only targets that its program is meant to run on; empty if there is no such limit."""
    filtered_targets: Mapping[str, tuple[str, ...]] = field(
        default_factory=dict[str, tuple[str, ...]]
    )
    """Targets that it was not compiled for, with what they lack."""
    filtered_kernels: "Mapping[str, FilteredKernels]" = field(
        default_factory=dict[str, "FilteredKernels"]
    )
    """By target, the kernels that were left out of its code, with what the target lacks."""
    failed_targets: tuple[str, ...] = ()
    """Targets whose compilers failed on it."""

    @property
    def has_conditions(self) -> bool:
        """Whether the image's code or requirements depend on the device.

        False for an image that only has add-ons: an add-on applies to a device as a whole, or not
        at all.
        """
        return bool(
            self.kernel_reqs
            or self.function_reqs
            or self.asked
            or self.conditional_imports
            or self.conditional_aspects
        )

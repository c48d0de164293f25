"""What an image says of itself, beside its code.

Post-link and code generation fill the fields, `schema.py` says in which property sets they are
written. Where a program is read, fields are decoded when they are first asked for.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dovetail.image.requirements import Requirements
from dovetail.image.target_names import USUAL_FAMILY

if TYPE_CHECKING:
    # What starts a program loads this, and only those of them whose sets the program has.
    from dovetail.conditions import Condition
    from dovetail.image.add_ons import AddOn
    from dovetail.image.aspect_uses import AspectUse
    from dovetail.image.conditional_calls import ConditionalCall
    from dovetail.image.conditional_code import ConditionalFunctions
    from dovetail.image.device_globals import DeviceGlobal, KeptGlobal
    from dovetail.image.kernel_reqs import Reqs
    from dovetail.image.target_names import KernelsLeftOut
    from dovetail.kernel_info import KernelInfo


# Comparing and printing is left out: start-up would have to generate the methods.
@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class ImageInfo:
    """The description of an image; by default that of an image that says nothing."""

    requirements: Requirements = field(default_factory=Requirements)
    """What a device must have for any of its kernels."""
    kernel_names: tuple[str, ...] = ()
    """The symbols of its kernels, whichever toolchain made it."""
    kernels: "tuple[KernelInfo, ...]" = ()
    """Those of its kernels that are described; another toolchain's are not."""
    kernel_sizes: Mapping[str, Requirements] = field(default_factory=dict[str, Requirements])
    """By symbol, the sizes that kernels require; not their aspects."""
    asserting_kernels: tuple[str, ...] = ()
    """Those that can fail an assertion."""
    opt_level: int | None = None
    """The N of `-ON` that it was compiled with, if it is known."""
    grf_size: int | None = None
    """How many registers a thread has on Intel's GPUs, if its kernels ask for a number."""
    aspect_uses: "Mapping[str, Mapping[str, AspectUse]]" = field(
        default_factory=dict[str, "Mapping[str, AspectUse]"]
    )
    """The first use of each aspect, by entry point, then by the aspect's name."""

    exports: tuple[str, ...] = ()
    """Functions that other images may call."""
    inline: tuple[str, ...] = ()
    """Those of the exports that other images may define in the same way."""
    imports: tuple[str, ...] = ()
    """Functions that it calls and that other images have to define."""

    device_globals: "tuple[DeviceGlobal, ...]" = ()
    global_variables: Mapping[str, str] = field(default_factory=dict[str, str])
    """The names in the IR of device globals, by identifier."""
    kept_globals: "tuple[KeptGlobal, ...]" = ()
    """The device globals that our runtime keeps."""
    global_accessor: str = ""
    """The kernel that copies to and from the image's variables; empty if there is none."""

    add_on: "AddOn | None" = None
    """Which add-on it is; None if it is none, as most are."""
    add_ons: "Mapping[str, Condition]" = field(default_factory=dict[str, "Condition"])
    """The pairs of add-ons that it needs one of each, with their conditions."""

    kernel_reqs: "Mapping[str, Reqs]" = field(default_factory=dict[str, "Reqs"])
    """What each kernel requires, in images whose kernels are for different devices."""
    function_reqs: "Mapping[str, Reqs]" = field(default_factory=dict[str, "Reqs"])
    """The same of exported functions and of what is called under conditions."""
    asked: "Mapping[int, Condition]" = field(default_factory=dict[int, "Condition"])
    """By the `SpecId` of a constant in its code, the aspect or architecture that it stands for."""
    conditional_calls: "Mapping[str, tuple[ConditionalCall, ...]]" = field(
        default_factory=dict[str, "tuple[ConditionalCall, ...]"]
    )
    """By caller, what is called on some devices only, in the image itself or in add-ons."""
    conditional_imports: Mapping[str, tuple[str, ...]] = field(
        default_factory=dict[str, tuple[str, ...]]
    )
    """By what is called on some devices only, what nothing else imports."""
    conditional_aspects: "Mapping[Condition, tuple[int, ...]]" = field(
        default_factory=dict["Condition", tuple[int, ...]]
    )
    """By condition, what all of its kernels use where it holds."""
    conditional_functions: "ConditionalFunctions | None" = None
    """When its functions are there, where its code does not say so itself."""

    family: str = USUAL_FAMILY
    """The family of device IR that it was made from: code of two cannot be linked."""
    resolved_targets: tuple[str, ...] = ()
    """Those that conditions in its code were decided for; none if it is the same for all."""
    compile_target: str = ""
    """What DPC++'s runtime calls the one target that it is built for; empty if there are more."""
    fixed_targets: tuple[str, ...] = ()
    """What its program is meant to run on, if nothing else."""
    filtered_targets: Mapping[str, tuple[str, ...]] = field(
        default_factory=dict[str, tuple[str, ...]]
    )
    """Those that it was not compiled for, and what they lack."""
    filtered_kernels: "Mapping[str, KernelsLeftOut]" = field(
        default_factory=dict[str, "KernelsLeftOut"]
    )
    """By target, the kernels that its code is without, and what it lacks for each."""
    failed_targets: tuple[str, ...] = ()
    """Those whose compilers failed on it."""

    @property
    def has_conditions(self) -> bool:
        """Whether something in it, or that it requires, depends on the device.

        Images with add-ons are others: each of these is for some devices as a whole.
        """
        return bool(
            self.kernel_reqs
            or self.function_reqs
            or self.asked
            or self.conditional_imports
            or self.conditional_aspects
        )

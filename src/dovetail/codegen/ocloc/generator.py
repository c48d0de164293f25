"""Native code for Intel's GPUs beside the SPIR-V that it is made of.

All words for a target reach ocloc as they are, as DPC++ has it: what is meant for the compiler
inside follows `-options`.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from dovetail.codegen.generator import NO_VALUES, BuildTarget, CodeGenerator, CodegenSession, Values
from dovetail.compilers.ocloc import OCLOC, Ocloc, find_ocloc, knows_device
from dovetail.errors import UsageError, nearest_names
from dovetail.targets import default_table

if TYPE_CHECKING:
    from concurrent.futures import Future

    from dovetail.artifacts import CodeForm, DeviceImage

DEVICE = "-device"

_SUB_GROUP_SIZES = (8, 16, 32)
"""Those that a device may have of which the table does not know."""

_OFFERED = 3
"""Names of devices, in place of one that is not known."""


class OclocGenerator(CodeGenerator):
    """One run of ocloc for each image and device."""

    name = "ocloc"
    specialises = True

    def check(self, target: BuildTarget) -> None:
        ocloc = find_ocloc()
        device = device_of(target)
        if not device:
            raise UsageError(
                "it does not say for which devices ocloc is to compile",
                hint='name them, as in -Xs "-device skl,pvc", or build for targets such as'
                " intel_gpu_pvc",
            )
        if not knows_device(ocloc, device):
            raise _unknown(ocloc, target, device)

    def words(self, target: BuildTarget) -> tuple[str, ...]:
        return (*find_ocloc().identity, *target.words)

    def takes_options(self, target: BuildTarget) -> bool:
        return True

    def prepare(self, count: int) -> None:
        from dovetail.compilers.ocloc_library import start

        library = find_ocloc().library
        if library:
            start(library, count)

    def effort(self, targets: Sequence[BuildTarget]) -> tuple[int, ...]:
        # It tries each sub-group size of a device, and has more to do for newer ones.
        target = targets[0]
        devices = len(device_of(target).split(","))
        sizes = len(target.target.sub_group_sizes or _SUB_GROUP_SIZES)
        return devices * sizes, _places_in_table().get(target.name, -1)

    def generate(
        self,
        image: "DeviceImage",
        targets: Sequence[BuildTarget],
        session: CodegenSession,
        values: Values = NO_VALUES,
    ) -> "Future[tuple[CodeForm, ...]]":
        # Who plans a build need not load LLVM.
        from dovetail.codegen.chaining import after
        from dovetail.codegen.ocloc.compilation import compiled
        from dovetail.codegen.spirv.once import specialised_spirv_of

        spirv = specialised_spirv_of(image, values, session)
        return after(spirv, session.pool, lambda made: compiled(made, targets))


def device_of(target: BuildTarget) -> str:
    """The device or devices, as ocloc takes them; empty if there is none."""
    # As for ocloc itself, the last one counts.
    named = [value for word, value in pairwise(target.words) if word == DEVICE]
    return named[-1] if named else ""


@cache
def _places_in_table() -> dict[str, int]:
    """Of targets, by name: newer ones come later."""
    return {target.name: place for place, target in enumerate(default_table())}


def _unknown(ocloc: Ocloc, target: BuildTarget, device: str) -> UsageError:
    """What is wrong with a device, or a list of some."""
    unknown = [each for each in device.split(",") if not knows_device(ocloc, each)] or [device]
    quoted = ", ".join(f"'{each}'" for each in unknown)
    what = f"the device {quoted}" if len(unknown) == 1 else f"the devices {quoted}"
    ours = default_table().get(target.name)
    if ours and device_of(BuildTarget(ours)) == device:
        hint = (
            f"a newer ocloc ({OCLOC.package}) may know more; else leave out what it does not know"
        )
    else:
        hint = "\n".join(_offers(ocloc, unknown))
    return UsageError(f"{ocloc.name} does not know {what}", hint=hint)


def _offers(ocloc: Ocloc, unknown: Sequence[str]) -> Iterator[str]:
    """Few names in place of those that a user wrote, for ocloc has dozens."""
    for each in unknown:
        near = nearest_names(each, sorted(ocloc.devices), _OFFERED)
        if near:
            names = " or ".join(f"'{name}'" for name in near)
            yield f"for '{each}': did you mean {names}?"
    yield "'ocloc compile --help' lists the devices that it knows"

"""The generator of native code for Intel's GPUs, which is stored beside the SPIR-V.

As in DPC++, all arguments for a target are passed to ocloc unchanged; those of the compiler inside
ocloc follow `-options`.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from dovetail.codegen.generator import NO_VALUES, BuildTarget, CodeGenerator, Values
from dovetail.compilers.ocloc import OCLOC, Ocloc, find_ocloc, knows_device
from dovetail.errors import UsageError, nearest_names
from dovetail.targets import default_table

if TYPE_CHECKING:
    from concurrent.futures import Future

    from dovetail.artifacts import CodeForm, DeviceImage
    from dovetail.codegen.session import CodegenSession

DEVICE = "-device"

_SUB_GROUP_SIZES = (8, 16, 32)
"""Assumed for devices whose sub-group sizes are not in the target table."""

_MAX_SUGGESTIONS = 3
"""Suggested device names for each unknown one."""


class OclocGenerator(CodeGenerator):
    """One run of ocloc for each image and device."""

    name = "ocloc"
    specialises = True

    def check(self, target: BuildTarget) -> None:
        ocloc = find_ocloc()
        device = device_of(target)
        if not device:
            raise UsageError(
                "no device is named",
                hint='name devices, as in -Xs "-device skl,pvc", or build for targets such as'
                " intel_gpu_pvc",
            )
        if not knows_device(ocloc, device):
            raise _unknown_device(ocloc, target, device)

    def key_parts(self, target: BuildTarget) -> tuple[str, ...]:
        return (*find_ocloc().identity, *target.arguments)

    def accepts_options(self, target: BuildTarget) -> bool:
        return True

    def prepare(self, count: int) -> None:
        from dovetail.compilers.ocloc_library import start_workers

        library = find_ocloc().library
        if library:
            start_workers(library, count)

    def cost(self, targets: Sequence[BuildTarget]) -> tuple[int, ...]:
        # ocloc tries each sub-group size of a device, and takes longer for newer devices.
        target = targets[0]
        devices = len(device_of(target).split(","))
        sizes = len(target.target.sub_group_sizes or _SUB_GROUP_SIZES)
        return devices * sizes, _table_positions().get(target.name, -1)

    def generate(
        self,
        image: "DeviceImage",
        targets: Sequence[BuildTarget],
        session: "CodegenSession",
        values: Values = NO_VALUES,
    ) -> "Future[tuple[CodeForm, ...]]":
        # Imported here: planning a build need not load LLVM.
        from dovetail.codegen.futures import then
        from dovetail.codegen.ocloc.compilation import compile_with_ocloc
        from dovetail.codegen.spirv.image_spirv import specialised_spirv_of

        spirv = specialised_spirv_of(image, values, session)
        return then(spirv, session.pool, lambda code: compile_with_ocloc(code, targets))


def device_of(target: BuildTarget) -> str:
    """Return the value of `-device`, one or several devices; empty if there is none."""
    # As in ocloc itself, the last one counts.
    named = [value for option, value in pairwise(target.arguments) if option == DEVICE]
    return named[-1] if named else ""


@cache
def _table_positions() -> dict[str, int]:
    """Return the positions of targets in the table, by name; newer targets come later."""
    return {target.name: position for position, target in enumerate(default_table())}


def _unknown_device(ocloc: Ocloc, target: BuildTarget, device: str) -> UsageError:
    """Return the error for a device, or a list of devices, that ocloc does not know."""
    unknown = [each for each in device.split(",") if not knows_device(ocloc, each)] or [device]
    quoted = ", ".join(f"'{each}'" for each in unknown)
    what = f"the device {quoted}" if len(unknown) == 1 else f"the devices {quoted}"
    ours = default_table().get(target.name)
    if ours and device_of(BuildTarget(ours)) == device:
        hint = (
            f"install a newer ocloc ({OCLOC.package}), or leave out the targets that it does not"
            " know"
        )
    else:
        hint = "\n".join(_suggestions(ocloc, unknown))
    return UsageError(f"{ocloc.name} does not know {what}", hint=hint)


def _suggestions(ocloc: Ocloc, unknown: Sequence[str]) -> Iterator[str]:
    """Yield the nearest device names for each unknown one."""
    for each in unknown:
        near = nearest_names(each, sorted(ocloc.devices), _MAX_SUGGESTIONS)
        if near:
            names = " or ".join(f"'{name}'" for name in near)
            yield f"for '{each}': did you mean {names}?"
    yield "'ocloc compile --help' lists the devices that it knows"

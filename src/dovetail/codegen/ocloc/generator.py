"""Native code for Intel's GPUs beside the SPIR-V that it is made of."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dovetail.codegen.generator import BuildTarget
from dovetail.codegen.ocloc.command import device_of, words_of
from dovetail.compilers.ocloc import find_ocloc, knows_device
from dovetail.errors import UsageError, nearest

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

    from dovetail.artifacts import CodeForm, DeviceImage


class OclocGenerator:
    """One run of ocloc for each image and device."""

    name = "ocloc"

    def check(self, target: BuildTarget) -> None:
        ocloc = find_ocloc()
        device = device_of(target)
        if not device:
            raise UsageError(
                f"target '{target.name}' does not say for which devices ocloc is to compile",
                hint='name them, as in -Xs "-device skl,pvc", or build for targets such as'
                " intel_gpu_pvc",
            )
        if not knows_device(ocloc, device):
            each = device.split(",")
            unknown = next((name for name in each if not knows_device(ocloc, name)), device)
            known = sorted(ocloc.devices)
            raise UsageError(
                f"{ocloc.name} cannot compile for '{target.name}': it does not know the device"
                f" '{unknown}'",
                hint=nearest(unknown, known) or f"it knows {', '.join(known)}",
            )

    def words(self, target: BuildTarget) -> tuple[str, ...]:
        return (*find_ocloc().identity, *words_of(target))

    def takes_options(self, target: BuildTarget) -> bool:
        return True

    def generate(
        self, image: "DeviceImage", targets: Sequence[BuildTarget], pool: "Executor"
    ) -> "Future[tuple[CodeForm, ...]]":
        # Who plans a build need not load LLVM.
        from dovetail.codegen.chaining import after
        from dovetail.codegen.ocloc.compilation import compiled
        from dovetail.codegen.spirv.once import compilable_spirv_of

        return after(compilable_spirv_of(image, pool), pool, lambda spirv: compiled(spirv, targets))

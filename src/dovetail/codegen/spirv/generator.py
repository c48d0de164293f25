"""SPIR-V as a program's code, for drivers to compile as the program runs."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dovetail.codegen.generator import BuildTarget
from dovetail.targets.coverage import ANY_DEVICE

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

    from dovetail.artifacts import CodeForm, DeviceImage


class SpirvGenerator:
    """One module for all targets of an image, which says for which if it is not for any device."""

    name = "SPIR-V"

    def check(self, target: BuildTarget) -> None:
        """Drivers compile it, whichever there are."""

    def words(self, target: BuildTarget) -> tuple[str, ...]:
        return ()

    def takes_options(self, target: BuildTarget) -> bool:
        return False

    def generate(
        self, image: "DeviceImage", targets: Sequence[BuildTarget], pool: "Executor"
    ) -> "Future[tuple[CodeForm, ...]]":
        names = [target.name for target in targets]
        return pool.submit(_generate, image, () if ANY_DEVICE in names else names)


def _generate(image: "DeviceImage", targets: Sequence[str]) -> "tuple[CodeForm, ...]":
    # Who plans a build asks for the name alone, and need not load LLVM.
    from dovetail.codegen.spirv.emit import TARGET, emit_spirv
    from dovetail.codegen.spirv.validate import validate_spirv
    from dovetail.image import IRModule, IRType

    code = emit_spirv(image)
    validate_spirv(code, [kernel.name for kernel in image.kernels])
    return (IRModule.of(IRType.SPIRV, TARGET, code, targets=targets),)

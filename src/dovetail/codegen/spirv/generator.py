"""SPIR-V as a program's code, for drivers to compile as the program runs."""

from collections.abc import Sequence
from concurrent.futures import Executor, Future

from dovetail.artifacts import CodeForm, DeviceImage
from dovetail.codegen.generator import BuildTarget
from dovetail.codegen.spirv.emit import TARGET, emit_spirv
from dovetail.codegen.spirv.validate import validate_spirv
from dovetail.image import IRModule, IRType
from dovetail.targets.coverage import ANY_DEVICE


class SpirvGenerator:
    """One module for all targets of an image, which says for which if it is not for any device."""

    name = "SPIR-V"

    def words(self, target: BuildTarget) -> tuple[str, ...]:
        return ()

    def takes_options(self, target: BuildTarget) -> bool:
        return False

    def generate(
        self, image: DeviceImage, targets: Sequence[BuildTarget], pool: Executor
    ) -> Future[tuple[CodeForm, ...]]:
        names = [target.name for target in targets]
        return pool.submit(_generate, image, () if ANY_DEVICE in names else names)


def _generate(image: DeviceImage, targets: Sequence[str]) -> tuple[CodeForm, ...]:
    code = emit_spirv(image)
    validate_spirv(code, [kernel.name for kernel in image.kernels])
    return (IRModule.of(IRType.SPIRV, TARGET, code, targets=targets),)

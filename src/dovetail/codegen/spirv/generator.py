"""SPIR-V as a program's code, for drivers to compile as the program runs."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dovetail.codegen.generator import BuildTarget
from dovetail.targets.coverage import ANY_DEVICE

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

    from dovetail.artifacts import CodeForm, DeviceImage
    from dovetail.image import IRModule


class SpirvGenerator:
    """One module for all targets of an image, which says for which if it is not for any device."""

    name = "SPIR-V"

    def words(self, target: BuildTarget) -> tuple[str, ...]:
        return ()

    def takes_options(self, target: BuildTarget) -> bool:
        return False

    def generate(
        self, image: "DeviceImage", targets: Sequence[BuildTarget], pool: "Executor"
    ) -> "Future[tuple[CodeForm, ...]]":
        # Who plans a build asks for the name alone, and need not load LLVM.
        from dovetail.codegen.spirv.emit import TARGET, emit_spirv
        from dovetail.image import IRModule, IRType

        code = emit_spirv(image)
        kernels = [kernel.name for kernel in image.kernels]
        names = [target.name for target in targets]
        form = IRModule.of(IRType.SPIRV, TARGET, code, targets=() if ANY_DEVICE in names else names)
        return pool.submit(_validated, form, code, kernels)


def _validated(form: "IRModule", code: bytes, kernels: Sequence[str]) -> "tuple[CodeForm, ...]":
    from dovetail.codegen.spirv.validate import validate_spirv

    validate_spirv(code, kernels)
    return (form,)

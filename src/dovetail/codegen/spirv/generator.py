"""The generator of SPIR-V, which drivers compile at run time."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dovetail.codegen.generator import NO_VALUES, BuildTarget, CodeGenerator, Values
from dovetail.targets.coverage import ANY_DEVICE

if TYPE_CHECKING:
    from concurrent.futures import Future

    from dovetail.artifacts import CodeForm, DeviceImage
    from dovetail.codegen.session import CodegenSession


class SpirvGenerator(CodeGenerator):
    """One module for all targets of an image; it names them unless it is for any device."""

    name = "SPIR-V"

    def check(self, target: BuildTarget) -> None:
        """Accept every target: no compiler but LLVM is called."""

    def key_parts(self, target: BuildTarget) -> tuple[str, ...]:
        return ()

    def accepts_options(self, target: BuildTarget) -> bool:
        return False

    def generate(
        self,
        image: "DeviceImage",
        targets: Sequence[BuildTarget],
        session: "CodegenSession",
        values: Values = NO_VALUES,
    ) -> "Future[tuple[CodeForm, ...]]":
        # Imported here: planning a build need not load LLVM.
        from dovetail.codegen.futures import then
        from dovetail.codegen.spirv.image_spirv import spirv_of

        names = [target.name for target in targets]
        only_for = () if ANY_DEVICE in names else names
        return then(
            spirv_of(image, session), session.pool, lambda spirv: _forms(spirv.code, only_for)
        )


def _forms(code: bytes, targets: Sequence[str]) -> "tuple[CodeForm, ...]":
    from dovetail.codegen.spirv.emit import TARGET
    from dovetail.image import IRModule, IRType

    return (IRModule.of(IRType.SPIRV, TARGET, code, targets=targets),)

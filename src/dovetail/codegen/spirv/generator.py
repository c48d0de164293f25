"""SPIR-V as a program's code, for drivers to compile as the program runs."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dovetail.codegen.generator import NO_VALUES, BuildTarget, CodeGenerator, CodegenSession, Values
from dovetail.targets.coverage import ANY_DEVICE

if TYPE_CHECKING:
    from concurrent.futures import Future

    from dovetail.artifacts import CodeForm, DeviceImage


class SpirvGenerator(CodeGenerator):
    """One module for all targets of an image, which says for which if it is not for any device."""

    name = "SPIR-V"

    def check(self, target: BuildTarget) -> None:
        """Drivers compile it, whichever there are."""

    def words(self, target: BuildTarget) -> tuple[str, ...]:
        return ()

    def takes_options(self, target: BuildTarget) -> bool:
        return False

    def generate(
        self,
        image: "DeviceImage",
        targets: Sequence[BuildTarget],
        session: CodegenSession,
        values: Values = NO_VALUES,
    ) -> "Future[tuple[CodeForm, ...]]":
        # Who plans a build asks for the name alone, and need not load LLVM.
        from dovetail.codegen.chaining import after
        from dovetail.codegen.spirv.once import spirv_of

        names = [target.name for target in targets]
        only_for = () if ANY_DEVICE in names else names
        return after(
            spirv_of(image, session), session.pool, lambda made: _forms(made.code, only_for)
        )


def _forms(code: bytes, targets: Sequence[str]) -> "tuple[CodeForm, ...]":
    from dovetail.codegen.spirv.emit import TARGET
    from dovetail.image import IRModule, IRType

    return (IRModule.of(IRType.SPIRV, TARGET, code, targets=targets),)

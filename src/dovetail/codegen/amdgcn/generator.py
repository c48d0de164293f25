"""A code object for each of AMD's processors.

Nothing else is kept beside it: AMD's drivers compile no other form of code as a program runs, and a
code object is for one processor alone.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dovetail.codegen.amdgcn.processor import Processor
from dovetail.codegen.generator import NO_VALUES, BuildTarget, CodeGenerator, CodegenSession, Values
from dovetail.codegen.processors import require_processor
from dovetail.compilers.answers import identity_of
from dovetail.compilers.math_libraries import ocml_path
from dovetail.resources import LLD, tool_path
from dovetail.targets.ir_family import IRFamily

if TYPE_CHECKING:
    from concurrent.futures import Future

    from dovetail.artifacts import CodeForm, DeviceImage


class AmdgcnGenerator(CodeGenerator):
    """LLVM's AMDGPU back-end, then its linker."""

    name = "code object"

    def check(self, target: BuildTarget) -> None:
        tool_path(LLD)
        require_processor(IRFamily.AMDGCN, Processor.of(target.target).name)

    def words(self, target: BuildTarget) -> tuple[str, ...]:
        library = ocml_path()
        identity = identity_of(library) if library else ""
        return target.target.options, repr(target.target.sub_group_sizes), identity

    def takes_options(self, target: BuildTarget) -> bool:
        """There is no compiler of the vendor's: LLVM is told all that it has to know."""
        return False

    def generate(
        self,
        image: "DeviceImage",
        targets: Sequence[BuildTarget],
        session: CodegenSession,
        values: Values = NO_VALUES,
    ) -> "Future[tuple[CodeForm, ...]]":
        return session.pool.submit(_generate, image, targets)


def _generate(image: "DeviceImage", targets: Sequence[BuildTarget]) -> "tuple[CodeForm, ...]":
    # Who plans a build asks for the name alone, and need not load LLVM.
    from dovetail.codegen.amdgcn.emit import emit_code_object
    from dovetail.image import NativeImage, NativeOrigin
    from dovetail.ir import llvm_version

    # All have the same processor, or they would have other words.
    target, *others = targets
    code = emit_code_object(image, target)
    names = [each.name for each in targets] if others else ()
    origin = NativeOrigin.of(f"LLVM {llvm_version()}", code)
    triple = IRFamily.AMDGCN.triple
    return (NativeImage.of(target.name, triple, code, targets=names, origin=origin),)

"""The generator of code objects for AMD's processors.

A code object is for one processor. No IR is stored beside it: AMD's drivers do not compile at run
time.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dovetail.codegen.amdgcn.processor import Processor
from dovetail.codegen.generator import NO_VALUES, BuildTarget, CodeGenerator, Values
from dovetail.codegen.processors import require_processor
from dovetail.compilers.math_libraries import ocml_path
from dovetail.compilers.queries import file_identity
from dovetail.resources import LLD, tool_path
from dovetail.targets.ir_family import IRFamily

if TYPE_CHECKING:
    from concurrent.futures import Future

    from dovetail.artifacts import CodeForm, DeviceImage
    from dovetail.codegen.session import CodegenSession


class AmdgcnGenerator(CodeGenerator):
    """LLVM's AMDGPU back-end, then lld."""

    name = "code object"

    def check(self, target: BuildTarget) -> None:
        tool_path(LLD)
        require_processor(IRFamily.AMDGCN, Processor.of(target.target).name)

    def key_parts(self, target: BuildTarget) -> tuple[str, ...]:
        library = ocml_path()
        identity = file_identity(library) if library else ""
        return target.target.options, repr(target.target.sub_group_sizes), identity

    def accepts_options(self, target: BuildTarget) -> bool:
        """Return False: no vendor compiler is called."""
        return False

    def generate(
        self,
        image: "DeviceImage",
        targets: Sequence[BuildTarget],
        session: "CodegenSession",
        values: Values = NO_VALUES,
    ) -> "Future[tuple[CodeForm, ...]]":
        return session.pool.submit(_generate, image, targets)


def _generate(image: "DeviceImage", targets: Sequence[BuildTarget]) -> "tuple[CodeForm, ...]":
    # Imported here: planning a build need not load LLVM.
    from dovetail.codegen.amdgcn.emit import emit_code_object
    from dovetail.image import NativeImage, NativeOrigin
    from dovetail.ir import llvm_version

    # Targets with equal key parts have the same processor.
    target, *others = targets
    code = emit_code_object(image, target)
    names = [each.name for each in targets] if others else ()
    origin = NativeOrigin.of(f"LLVM {llvm_version()}", code)
    triple = IRFamily.AMDGCN.triple
    return (NativeImage.of(target.name, triple, code, targets=names, origin=origin),)

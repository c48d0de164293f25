"""A code generator for NVIDIA's GPUs that stops at PTX, to see what generators are given."""

from collections.abc import Sequence
from concurrent.futures import Future
from typing import ClassVar

from dovetail.artifacts import CodeForm, DeviceImage
from dovetail.codegen import NO_VALUES, BuildTarget, CodeGenerator, Values
from dovetail.codegen.session import CodegenSession
from dovetail.image import IRModule, IRType


class PtxGenerator(CodeGenerator):
    """Emits PTX, and records its inputs."""

    name = "PTX"
    seen: ClassVar[list[tuple[str, tuple[str, ...]]]] = []
    """The triple of each image, and the names of its targets."""

    def check(self, target: BuildTarget) -> None:
        pass

    def key_parts(self, target: BuildTarget) -> tuple[str, ...]:
        return (target.name,)

    def accepts_options(self, target: BuildTarget) -> bool:
        return False

    def generate(
        self,
        image: DeviceImage,
        targets: Sequence[BuildTarget],
        session: CodegenSession,
        values: Values = NO_VALUES,
    ) -> Future[tuple[CodeForm, ...]]:
        names = tuple(target.name for target in targets)
        self.seen.append((image.module.triple, names))
        triple = image.module.triple
        code = image.module.emit(assembly=True)
        return session.pool.submit(lambda: (IRModule.of(IRType.PTX, triple, code),))

"""Native code for x86-64 processors beside the SPIR-V that it is made of."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from dovetail.codegen.generator import NO_VALUES, BuildTarget, CodeGenerator, Values
from dovetail.codegen.opencl_cpu.words import told
from dovetail.compilers.opencl_cpu import find_opencl_cpu, knows_processor
from dovetail.errors import UsageError

if TYPE_CHECKING:
    from concurrent.futures import Future

    from dovetail.artifacts import CodeForm, DeviceImage
    from dovetail.codegen.session import CodegenSession


class OpenCLCpuGenerator(CodeGenerator):
    """The runtime is asked for each image and processor."""

    name = "OpenCL CPU runtime"
    specialises = True

    def check(self, target: BuildTarget) -> None:
        runtime = find_opencl_cpu()
        processor, *others = told(target).processors
        # Those of our own list are known, and asking for each takes half a second.
        if not others and not knows_processor(runtime, processor):
            raise UsageError(
                f"{runtime.name} does not know the processor '{processor}'",
                hint="-march= takes sse42, avx, avx2, avx512 and names such as icelake-server or"
                " sapphirerapids",
            )

    def words(self, target: BuildTarget) -> tuple[str, ...]:
        processors, options = told(target)
        return (*find_opencl_cpu().identity, " ".join(processors), *options)

    def takes_options(self, target: BuildTarget) -> bool:
        return True

    def generate(
        self,
        image: "DeviceImage",
        targets: Sequence[BuildTarget],
        session: "CodegenSession",
        values: Values = NO_VALUES,
    ) -> "Future[tuple[CodeForm, ...]]":
        # Who plans a build need not load LLVM.
        from dovetail.codegen.chaining import after, together
        from dovetail.codegen.opencl_cpu.compilation import compiled
        from dovetail.codegen.spirv.once import specialised_spirv_of

        spirv = specialised_spirv_of(image, values, session)
        processors, options = told(targets[0])
        names = [target.name for target in targets]
        work = [partial(compiled, names, processor, options) for processor in processors]
        return together([after(spirv, session.pool, each) for each in work])

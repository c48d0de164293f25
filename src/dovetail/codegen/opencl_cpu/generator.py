"""Native code for x86-64 processors beside the SPIR-V that it is made of."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from dovetail.codegen.generator import (
    NO_VALUES,
    BuildTarget,
    CodeGenerationError,
    CodeGenerator,
    CodegenSession,
    Values,
)
from dovetail.codegen.opencl_cpu.words import told
from dovetail.compilers.opencl_cpu import (
    BUILT,
    compile_spirv,
    find_opencl_cpu,
    knows_processor,
)
from dovetail.errors import UsageError
from dovetail.processes.running import time_limit

if TYPE_CHECKING:
    from concurrent.futures import Future

    from dovetail.artifacts import CodeForm, DeviceImage

TRIPLE = "spir64_x86_64-unknown-unknown"
"""The name under which DPC++'s formats know code for x86-64 processors."""


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
        session: CodegenSession,
        values: Values = NO_VALUES,
    ) -> "Future[tuple[CodeForm, ...]]":
        # Who plans a build need not load LLVM.
        from dovetail.codegen.chaining import after, together
        from dovetail.codegen.spirv.once import specialised_spirv_of

        spirv = specialised_spirv_of(image, values, session)
        processors, options = told(targets[0])
        names = [target.name for target in targets]
        work = [partial(compiled, names, processor, options) for processor in processors]
        return together([after(spirv, session.pool, each) for each in work])


def compiled(
    targets: Sequence[str], processor: str, options: Sequence[str], spirv: bytes
) -> "CodeForm":
    """Native code for targets that get the same, for one processor; else `CodeGenerationError`."""
    from dovetail.image import NativeImage, NativeOrigin

    runtime = find_opencl_cpu()
    purpose = f"for {targets[0]}"
    built = compile_spirv(spirv, processor, options, seconds=time_limit(), purpose=purpose)
    if built.outcome != BUILT or not built.code:
        raise CodeGenerationError(
            f"{runtime.name} failed, for '{processor}': {built.said}",
            hint="-Xsycl-target-backend=x86_64 -march=KIND builds for one CPU kind only, such as"
            " core-avx2; other CPUs compile the SPIR-V when the program runs",
        )
    shared = targets if len(targets) > 1 else ()
    origin = NativeOrigin.of(runtime.name, built.code, driver=runtime.version, processor=processor)
    return NativeImage.of(targets[0], TRIPLE, built.code, targets=shared, origin=origin)

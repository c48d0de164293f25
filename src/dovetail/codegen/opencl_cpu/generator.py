"""The generator of native code for x86-64 processors, which is stored beside the SPIR-V."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from dovetail.codegen.generator import (
    NO_VALUES,
    BuildTarget,
    CodeGenerationError,
    CodeGenerator,
    Values,
)
from dovetail.codegen.opencl_cpu.arguments import parse_arguments
from dovetail.compilers.opencl_cpu import (
    BUILT,
    compile_spirv,
    find_opencl_cpu,
    knows_processor,
)
from dovetail.errors import UsageError
from dovetail.processes.running_tools import time_limit

if TYPE_CHECKING:
    from concurrent.futures import Future

    from dovetail.artifacts import CodeForm, DeviceImage
    from dovetail.codegen.session import CodegenSession

TRIPLE = "spir64_x86_64-unknown-unknown"
"""The name of code for x86-64 processors in DPC++'s formats."""


class OpenCLCpuGenerator(CodeGenerator):
    """One compilation for each image and CPU kind."""

    name = "OpenCL CPU runtime"
    specialises = True

    def check(self, target: BuildTarget) -> None:
        runtime = find_opencl_cpu()
        processor, *others = parse_arguments(target).processors
        # `CPU_KINDS` are known to be supported; checking all of them would take seconds.
        if not others and not knows_processor(runtime, processor):
            raise UsageError(
                f"{runtime.name} does not know the processor '{processor}'",
                hint="valid values of -march= are sse42, avx, avx2, avx512 and names such as"
                " icelake-server or sapphirerapids",
            )

    def key_parts(self, target: BuildTarget) -> tuple[str, ...]:
        processors, options = parse_arguments(target)
        return (*find_opencl_cpu().identity, " ".join(processors), *options)

    def accepts_options(self, target: BuildTarget) -> bool:
        return True

    def generate(
        self,
        image: "DeviceImage",
        targets: Sequence[BuildTarget],
        session: "CodegenSession",
        values: Values = NO_VALUES,
    ) -> "Future[tuple[CodeForm, ...]]":
        # Imported here: planning a build need not load LLVM.
        from dovetail.codegen.futures import gather, then
        from dovetail.codegen.spirv.image_spirv import specialised_spirv_of

        spirv = specialised_spirv_of(image, values, session)
        processors, options = parse_arguments(targets[0])
        names = [target.name for target in targets]
        work = [partial(compile_for_cpu, names, processor, options) for processor in processors]
        return gather([then(spirv, session.pool, each) for each in work])


def compile_for_cpu(
    targets: Sequence[str], processor: str, options: Sequence[str], spirv: bytes
) -> "CodeForm":
    """Return native code for one CPU kind; raise `CodeGenerationError` on failure.

    `targets` are the targets that share this code.
    """
    from dovetail.image import NativeImage, NativeOrigin

    runtime = find_opencl_cpu()
    purpose = f"for {targets[0]}"
    built = compile_spirv(spirv, processor, options, seconds=time_limit(), purpose=purpose)
    if built.outcome != BUILT or not built.code:
        raise CodeGenerationError(
            f"{runtime.name} failed for '{processor}': {built.message}",
            hint="-Xsycl-target-backend=x86_64 -march=KIND builds for one CPU kind only, such as"
            " core-avx2; other CPUs compile the SPIR-V at run time",
        )
    shared = targets if len(targets) > 1 else ()
    origin = NativeOrigin.of(runtime.name, built.code, driver=runtime.version, processor=processor)
    return NativeImage.of(targets[0], TRIPLE, built.code, targets=shared, origin=origin)

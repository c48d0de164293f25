"""One module, compiled by Intel's OpenCL CPU runtime for one processor."""

from collections.abc import Sequence

from dovetail.artifacts import CodeForm
from dovetail.codegen.generator import CodeGenerationError
from dovetail.compilers.opencl_cpu import BUILT, compile_spirv, find_opencl_cpu
from dovetail.image import NativeImage, NativeOrigin
from dovetail.processes.running import time_limit

TRIPLE = "spir64_x86_64-unknown-unknown"
"""The name under which DPC++'s formats know code for x86-64 processors."""


def compiled(
    targets: Sequence[str], processor: str, options: Sequence[str], spirv: bytes
) -> CodeForm:
    """Native code for targets that get the same, for one processor; else `CodeGenerationError`."""
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

"""The questions of the probe, each about one optional feature or sub-group size, and their kernels.

Kernels are written in OpenCL C and compiled to SPIR-V, as in Dovetail's builds. Each uses only one
optional feature, so that a refusal can be attributed to it.
"""

from dataclasses import dataclass
from functools import cache

from dovetail.errors import ToolFailed
from dovetail.processes.pool import current_pool, work_folder
from dovetail.resources import CLANG, tool_path
from dovetail.targets import Target

ASPECTS = ("fp64", "fp16", "atomic64")
"""The aspects that affect what a compiler accepts."""

SUB_GROUP_SIZES = (4, 8, 16, 32, 64)
"""Every size that some device supports; each is probed for all targets, to find unlisted ones."""

IMPOSSIBLE_SIZE = 128
"""A size that no device supports; compilers that check sizes refuse it."""

OPENCL_FLAGS = ("-x", "cl", "-cl-std=CL2.0", "-O1", "-nogpulib")

_BY_ASPECT = {
    "fp64": "kernel void probe(global double *p) { *p = *p * *p; }",
    "fp16": "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
    "kernel void probe(global half *p) { *p = *p * *p; }",
    "atomic64": "kernel void probe(global atomic_long *p) {"
    " __opencl_atomic_fetch_add(p, 1, __ATOMIC_RELAXED, __OPENCL_MEMORY_SCOPE_DEVICE); }",
}

# Drivers check the size only in kernels that use sub-groups.
_SUB_GROUP = (
    "__attribute__((overloadable)) unsigned get_sub_group_size(void);\n"
    "__attribute__((intel_reqd_sub_group_size({size})))"
    " kernel void probe(global unsigned *p) {{ *p = get_sub_group_size(); }}"
)


@dataclass(frozen=True, order=True)
class Question:
    """Whether a target has an aspect, or supports a sub-group size; exactly one field is set."""

    aspect: str = ""
    sub_group_size: int = 0

    @property
    def name(self) -> str:
        """The name in reports, such as `fp64` or `sub-group size 8`."""
        return self.aspect or f"sub-group size {self.sub_group_size}"


def questions_for(target: Target) -> list[Question]:
    """Return the questions about a target, in the order of the report."""
    sizes = sorted({*SUB_GROUP_SIZES, *target.sub_group_sizes})
    return [
        *(Question(aspect=aspect) for aspect in ASPECTS),
        *(Question(sub_group_size=size) for size in sizes),
    ]


def opencl_c(question: Question) -> str:
    """Return the kernel's source."""
    if question.sub_group_size:
        return _SUB_GROUP.format(size=question.sub_group_size)
    return _BY_ASPECT[question.aspect]


@cache
def spirv(question: Question) -> bytes:
    """Return the kernel as SPIR-V, compiled with clang."""
    command = [tool_path(CLANG), *OPENCL_FLAGS, "--target=spirv64-unknown-unknown"]
    # Otherwise clang runs llvm-spirv, which is not part of LLVM.
    command += ["-fintegrated-objemitter", "-c", "-", "-o", "probe.spv"]
    with work_folder() as folder:
        finished = current_pool().run(command, folder=folder, stdin=opencl_c(question).encode())
        if finished.status:
            raise ToolFailed(f"clang cannot make SPIR-V of the kernel: {finished.log_excerpt}")
        return (folder / "probe.spv").read_bytes()

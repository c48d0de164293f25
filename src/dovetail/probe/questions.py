"""What compilers are asked, one optional feature or one sub-group size at a time, and with what.

The kernels are in OpenCL C, and as SPIR-V, which is what compilers get from Dovetail's own builds.
Each uses one feature and nothing else, so that what is refused is refused for that feature.
"""

from dataclasses import dataclass
from functools import cache

from dovetail.errors import ToolFailed
from dovetail.processes.pool import current_pool, work_folder
from dovetail.resources import CLANG, tool_path
from dovetail.targets import Target

ASPECTS = ("fp64", "fp16", "atomic64")
"""The aspects that change what a compiler accepts."""

SUB_GROUP_SIZES = (4, 8, 16, 32, 64)
"""Every size that some device has; each is asked of all targets, to find unlisted ones."""

IMPOSSIBLE_SIZE = 128
"""A size that no device has; compilers that look at sizes refuse it."""

OPENCL_FLAGS = ("-x", "cl", "-cl-std=CL2.0", "-O1", "-nogpulib")

_BY_ASPECT = {
    "fp64": "kernel void probe(global double *p) { *p = *p * *p; }",
    "fp16": "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
    "kernel void probe(global half *p) { *p = *p * *p; }",
    "atomic64": "kernel void probe(global atomic_long *p) {"
    " __opencl_atomic_fetch_add(p, 1, __ATOMIC_RELAXED, __OPENCL_MEMORY_SCOPE_DEVICE); }",
}

# Drivers check the size only in kernels that use their sub-groups.
_SUB_GROUP = (
    "__attribute__((overloadable)) unsigned get_sub_group_size(void);\n"
    "__attribute__((intel_reqd_sub_group_size({size})))"
    " kernel void probe(global unsigned *p) {{ *p = get_sub_group_size(); }}"
)


@dataclass(frozen=True, order=True)
class Question:
    """Whether a target has an aspect, or sub-groups of some size: one of the two is set."""

    aspect: str = ""
    sub_group_size: int = 0

    @property
    def name(self) -> str:
        """For people, such as `fp64` or `sub-group size 8`."""
        return self.aspect or f"sub-group size {self.sub_group_size}"


def questions_for(target: Target) -> list[Question]:
    """All that is asked about a target, in the order of the report."""
    sizes = sorted({*SUB_GROUP_SIZES, *target.sub_group_sizes})
    return [
        *(Question(aspect=aspect) for aspect in ASPECTS),
        *(Question(sub_group_size=size) for size in sizes),
    ]


def opencl_c(question: Question) -> str:
    """The kernel's source."""
    if question.sub_group_size:
        return _SUB_GROUP.format(size=question.sub_group_size)
    return _BY_ASPECT[question.aspect]


@cache
def spirv(question: Question) -> bytes:
    """The kernel as stock clang makes SPIR-V of it; needs clang."""
    command = [tool_path(CLANG), *OPENCL_FLAGS, "--target=spirv64-unknown-unknown"]
    # Else clang looks for a translator from LLVM IR that stock LLVM does not have.
    command += ["-fintegrated-objemitter", "-c", "-", "-o", "probe.spv"]
    with work_folder() as folder:
        finished = current_pool().run(command, folder=folder, stdin=opencl_c(question).encode())
        if finished.status:
            raise ToolFailed(f"clang cannot make SPIR-V of the kernel: {finished.log_excerpt}")
        return (folder / "probe.spv").read_bytes()

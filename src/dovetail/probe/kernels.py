"""The kernels in OpenCL C, and as SPIR-V, which is what compilers get from Dovetail's own builds.

Each uses one feature and nothing else, so that what is refused is refused for that feature.
"""

from functools import cache

from dovetail.errors import ToolFailed
from dovetail.probe.questions import Question
from dovetail.processes.pool import current_pool, work_folder
from dovetail.resources import CLANG, tool_path

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
            raise ToolFailed(f"clang cannot make SPIR-V of the kernel: {finished.last_words}")
        return (folder / "probe.spv").read_bytes()

"""What makes a plain function a kernel, and how its entry point is called."""

ND_RANGE_KERNEL = "sycl-nd-range-kernel"
SINGLE_TASK_KERNEL = "sycl-single-task-kernel"
KERNEL_MARKS = (ND_RANGE_KERNEL, SINGLE_TASK_KERNEL)

ENTRY_PREFIX = "__sycl_kernel_"
"""The entry point of a kernel written as a plain function is named so, as in DPC++."""

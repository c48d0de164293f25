"""Split a linked module into images.

In: one linked module. Out: images, each with its kernels and all they need, and nothing else. Today
every kernel goes into one image; how kernels are grouped is decided in `group_kernels` alone.
"""

from collections.abc import Iterator

from dovetail.artifacts import DeviceImage, DeviceModule
from dovetail.errors import CompileError
from dovetail.kernel_info import KernelInfo


def split_images(linked: DeviceModule) -> Iterator[DeviceImage]:
    """The images of the program, made one at a time."""
    for group in group_kernels(linked):
        module = linked.module.extract([kernel.symbol for kernel in group], [])
        yield DeviceImage(module, group)


def group_kernels(linked: DeviceModule) -> list[tuple[KernelInfo, ...]]:
    """Which kernels go into an image together."""
    kernels = tuple(kernel.info() for kernel in linked.facts.kernels)
    if not kernels:
        raise CompileError(
            "the program has no kernels",
            hint="mark a function with SYCL_EXT_ONEAPI_FUNCTION_PROPERTY"
            "((sycl::ext::oneapi::experimental::nd_range_kernel<1>))",
        )
    return [kernels]

"""Split a linked module into images.

In: one linked module. Out: images, each with its kernels and all they need, and nothing else. Today
every kernel goes into one image; how kernels are grouped is decided in `group_kernels` alone.
"""

from collections.abc import Collection, Iterator

from dovetail.artifacts import DeviceImage, DeviceModule
from dovetail.errors import CompileError
from dovetail.ir import Module
from dovetail.kernel_info import KernelInfo


def split_images(linked: DeviceModule) -> Iterator[DeviceImage]:
    """The images of the program, made one at a time."""
    for group in group_kernels(linked):
        symbols = [kernel.symbol for kernel in group]
        module = linked.module.extract(symbols, [])
        hide_all_but(module, symbols)
        yield DeviceImage(module, group)


def hide_all_but(module: Module, entry_points: Collection[str]) -> None:
    """Make internal what nobody outside the image asks for, and drop what then nobody needs."""
    defined = [*module.functions(), *module.global_variables()]
    module.set_linkage(
        {
            symbol.name: "internal"
            for symbol in defined
            if not symbol.is_declaration and symbol.name not in entry_points
        }
    )
    module.run_passes("globaldce")


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

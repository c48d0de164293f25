"""Split a linked module into images.

In: one linked module. Out: images, each with its kernels and all they need, and nothing else. Today
every kernel goes into one image; how kernels are grouped is decided in `group_kernels` alone.
"""

from collections.abc import Collection, Iterator

from dovetail.artifacts import DeviceImage, DeviceModule
from dovetail.ir import Module, demangle
from dovetail.kernel_info import KernelInfo
from dovetail.postlink.variables import refuse_variables


def split_images(linked: DeviceModule) -> Iterator[DeviceImage]:
    """The images of the program, made one at a time."""
    for group in group_kernels(linked):
        symbols = [kernel.symbol for kernel in group]
        module = linked.module.extract(symbols, [])
        hide_all_but(module, symbols)
        image = DeviceImage(module, group)
        refuse_variables(image)
        yield image


def hide_all_but(module: Module, entry_points: Collection[str]) -> None:
    """Make internal what nobody outside the image asks for, and drop what then nobody needs."""
    defined = [*module.functions(), *module.global_variables()]
    module.set_linkage(
        {
            symbol.name: "external" if symbol.name in entry_points else "internal"
            for symbol in defined
            if not symbol.is_declaration
        }
    )
    module.run_passes("globaldce")


def group_kernels(linked: DeviceModule) -> list[tuple[KernelInfo, ...]]:
    """Which kernels go into an image together."""
    names = demangle([kernel.symbol for kernel in linked.facts.kernels])
    kernels = tuple(
        kernel.info(name) for kernel, name in zip(linked.facts.kernels, names, strict=True)
    )
    return [kernels] if kernels else []

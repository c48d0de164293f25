"""Put the compiled images of a program into one file.

In: images with their code and kernels. Out: the bytes of a SYCLBIN, which DPC++'s runtime reads
too; what our runtime wants to know beyond that stands in a property set of our own.
"""

from collections.abc import Iterable

from dovetail.artifacts import CompiledImage
from dovetail.image import (
    KERNEL_NAMES_SET,
    KERNELS_SET,
    AbstractModule,
    BundleState,
    IRModule,
    IRType,
    PropertySets,
    SyclBin,
    kernel_name_properties,
    kernel_properties,
    write_program,
)


def package_program(images: Iterable[CompiledImage]) -> bytes:
    """The program file's content; a driver still has to compile its images."""
    modules = [_module(image) for image in images]
    return write_program(SyclBin.of(BundleState.INPUT, modules))


def _module(image: CompiledImage) -> AbstractModule:
    metadata: PropertySets = {
        KERNEL_NAMES_SET: {**kernel_name_properties(kernel.symbol for kernel in image.kernels)},
        KERNELS_SET: {**kernel_properties(image.kernels)},
    }
    return AbstractModule(metadata, (IRModule.of(IRType.SPIRV, image.target, image.code),))

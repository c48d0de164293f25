"""Put the compiled images of a program into one file.

In: images with their code and property sets. Out: the bytes of a SYCLBIN, which DPC++'s runtime
reads too.
"""

from collections.abc import Iterable

from dovetail.artifacts import CompiledImage
from dovetail.image import (
    AbstractModule,
    BundleState,
    IRModule,
    NativeImage,
    SyclBin,
    write_program,
)


def package_program(images: Iterable[CompiledImage]) -> bytes:
    """The program file's content; a driver still has to compile its images."""
    modules = [_module(image) for image in images]
    return write_program(SyclBin.of(BundleState.INPUT, modules))


def _module(image: CompiledImage) -> AbstractModule:
    return AbstractModule(
        image.properties,
        tuple(form for form in image.forms if isinstance(form, IRModule)),
        tuple(form for form in image.forms if isinstance(form, NativeImage)),
    )

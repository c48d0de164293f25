"""Put the compiled images of a program into one file.

In: images with their code and descriptions. Out: the bytes of a SYCLBIN, which DPC++'s runtime
reads too.
"""

from collections.abc import Iterable

from dovetail.artifacts import CompiledImage
from dovetail.image import AbstractModule, BundleState, SyclBin, write_program


def package_program(images: Iterable[CompiledImage]) -> bytes:
    """The program file's content; a driver still has to compile its images."""
    modules = [AbstractModule.of(image.info, image.forms) for image in images]
    return write_program(SyclBin.of(BundleState.INPUT, modules))

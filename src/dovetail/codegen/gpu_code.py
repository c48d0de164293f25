"""Code generation by LLVM's GPU back-ends: the part that NVIDIA's and AMD's have in common.

An image's module is not changed: one image is compiled for several processors in parallel.
"""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from dovetail.artifacts import DeviceImage
from dovetail.codegen.generator import CodeGenerationError
from dovetail.codegen.math import math_bodies
from dovetail.codegen.undefined import refuse_undefined, undefined_functions
from dovetail.device_metadata import OPTIMIZATION
from dovetail.errors import IRError
from dovetail.targets.ir_family import IRFamily


class MathLibrary(NamedTuple):
    """A vendor's math library."""

    code: bytes
    """LLVM bitcode; empty if the library is not installed."""
    advice: str
    """How to install it."""


def libraries_for(
    image: DeviceImage, family: IRFamily, library: MathLibrary, known: Collection[str] = ()
) -> list[bytes]:
    """Return the modules that define the math functions an image calls, for `Module.emit`.

    `known` are functions defined elsewhere, such as in the device's driver.
    `CodeGenerationError` lists the callers of functions that are not defined.
    """
    undefined = undefined_functions(image).difference(known)
    bodies = math_bodies(undefined, family, has_library=bool(library.code))
    refuse_undefined(
        image,
        undefined - bodies.defined - bodies.missing,
        without_library=dict.fromkeys(undefined & bodies.missing, library.advice),
    )
    if not bodies.defined:
        return []
    return [bodies.text.encode(), *([library.code] if bodies.needs_library else [])]


def pipeline_for(image: DeviceImage) -> str:
    """Return LLVM's pass pipeline for the highest optimization level of the image's sources."""
    levels = image.module.function_attributes(OPTIMIZATION).values()
    # At least level 1, so that library functions are inlined.
    return f"default<O{max([1, *map(int, levels)])}>"


def emit(
    image: DeviceImage,
    *,
    processor: str,
    features: str,
    libraries: list[bytes],
    attributes: Mapping[str, Mapping[str, str | None]],
    visibility: str = "",
    final_passes: str = "",
    assembly: bool = False,
) -> bytes:
    """Return the code of an image for a processor, optimized and generated in a child process."""
    try:
        return image.module.emit(
            cpu=processor,
            features=features,
            libraries=libraries,
            attributes=attributes,
            visibility=visibility,
            passes=",".join(filter(None, (pipeline_for(image), final_passes))),
            assembly=assembly,
        )
    except IRError as error:
        raise CodeGenerationError(error.message) from None

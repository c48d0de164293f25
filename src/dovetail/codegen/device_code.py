"""What images need before LLVM generates code for a GPU, the same for NVIDIA's and AMD's.

Their modules stay as they are: one image is compiled for several processors, at the same time.
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
    """A vendor's library of functions on numbers."""

    code: bytes
    """LLVM bitcode; empty if it is not installed."""
    advice: str
    """How to install it."""


def libraries_for(
    image: DeviceImage, family: IRFamily, library: MathLibrary, known: Collection[str] = ()
) -> list[bytes]:
    """What defines the functions that an image calls, for `Module.emit`.

    `known` are those that others define, such as the device's driver. `CodeGenerationError` tells
    who calls what nobody defines.
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
    """LLVM's passes for an image: at the level that its sources were compiled at."""
    levels = image.module.function_attributes(OPTIMIZATION).values()
    # Without any, functions of libraries would stay calls.
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
    """Optimise an image for a processor and generate its code, in a process of its own."""
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

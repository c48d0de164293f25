"""Emit a code object for one device image with LLVM and lld."""

from collections.abc import Mapping
from math import prod
from pathlib import Path

from dovetail.artifacts import DeviceImage
from dovetail.codegen.amdgcn.device_library import control_constants, device_library
from dovetail.codegen.amdgcn.processor import Processor
from dovetail.codegen.amdgcn.wave_shuffle import wave_shuffle
from dovetail.codegen.generator import BuildTarget, CodeGenerationError
from dovetail.codegen.gpu_code import emit, libraries_for
from dovetail.device_metadata import required_sizes
from dovetail.processes.pool import current_pool, work_folder
from dovetail.processes.running_tools import time_limit
from dovetail.processor_functions import WAVE_SHUFFLE
from dovetail.resources import LLD, tool_path
from dovetail.targets.ir_family import IRFamily

_OUTPUT = "image.so"

_DEFAULT_WAVEFRONT_SIZE = 64
"""The only size of processors that support a single one."""

_MAX_WORK_GROUP_SIZE = 1024
"""The limit of every AMD GPU. LLVM may reject larger sizes, so the device reports the error."""


def emit_code_object(image: DeviceImage, target: BuildTarget) -> bytes:
    """Return the image as a code object, with the functions of AMD's library that it uses."""
    processor = Processor.of(target.target)
    size = wavefront_size(image, target)
    libraries = libraries_for(image, IRFamily.AMDGCN, device_library(), [WAVE_SHUFFLE])
    code = emit(
        image,
        processor=processor.name,
        features=",".join([*processor.settings, *_wavefront_feature(image, target)]),
        libraries=[
            wave_shuffle(processor, size),
            *([*libraries, control_constants(processor, size)] if libraries else []),
        ],
        attributes=_kernel_attributes(image),
        # Other code objects cannot preempt the symbols of this one.
        visibility="protected",
    )
    return _link(code, target)


def wavefront_size(image: DeviceImage, target: BuildTarget) -> int:
    """Return the sub-group size that the image requires, else the target's smallest one."""
    required = image.info.requirements.sub_group_size
    return required or min(target.target.sub_group_sizes, default=_DEFAULT_WAVEFRONT_SIZE)


def _wavefront_feature(image: DeviceImage, target: BuildTarget) -> list[str]:
    """Return LLVM's feature for the wavefront size; processors with one size do not have it."""
    if len(target.target.sub_group_sizes) < 2:
        return []
    return [f"+wavefrontsize{wavefront_size(image, target)}"]


def _kernel_attributes(image: DeviceImage) -> Mapping[str, Mapping[str, str | None]]:
    """Return attributes of kernels: uniform work-group sizes, and the size if it is required."""
    required = required_sizes(image.module)
    attributes: dict[str, dict[str, str | None]] = {}
    for function in image.module.functions():
        if function.calling_convention == "amdgpu_kernel" and not function.is_declaration:
            attributes[function.name] = {"uniform-work-group-size": "true"}
            size = required[function.name].work_group_size if function.name in required else ()
            count = prod(size)
            if size and count <= _MAX_WORK_GROUP_SIZE:
                attributes[function.name]["amdgpu-flat-work-group-size"] = f"{count},{count}"
    return attributes


def _link(code: bytes, target: BuildTarget) -> bytes:
    """Link an object file into a shared library, which is what the driver loads."""
    with work_folder() as folder:
        (folder / "image.o").write_bytes(code)
        finished = current_pool().run(
            [tool_path(LLD), "-shared", "--no-undefined", "image.o", "-o", _OUTPUT],
            folder=folder,
            seconds=time_limit(),
            purpose=f"for {target.name}",
            outputs=[Path(_OUTPUT)],
        )
        if finished.status:
            raise CodeGenerationError(finished.failure(LLD.program))
        return (folder / _OUTPUT).read_bytes()

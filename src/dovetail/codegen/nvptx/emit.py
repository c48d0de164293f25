"""Emit PTX for one device image with LLVM, and assemble it with ptxas."""

import re
from collections.abc import Mapping
from functools import cache
from math import prod
from pathlib import Path

from dovetail.artifacts import DeviceImage
from dovetail.codegen.generator import BuildTarget, CodeGenerationError
from dovetail.codegen.gpu_code import MathLibrary, emit, libraries_for
from dovetail.codegen.nvptx.architecture import Architecture
from dovetail.compilers.math_libraries import LIBDEVICE_PACKAGE, libdevice_path
from dovetail.compilers.ptxas import Ptxas
from dovetail.device_metadata import work_group_sizes
from dovetail.files import LLVM_IR, read_bytes
from dovetail.ir import Module
from dovetail.processes.pool import current_pool, work_folder
from dovetail.processes.running_tools import time_limit
from dovetail.processor_functions import GENERATION, definition
from dovetail.targets.ir_family import IRFamily

_DRIVER_FUNCTIONS = ("__assertfail", "free", "malloc", "vprintf")
"""Functions that CUDA's driver defines."""

_MAX_WORK_GROUP_SIZE = 1024
"""The limit of every NVIDIA GPU. Larger sizes make ptxas fail, so the device reports the error."""

_DEBUG_TARGET = re.compile(rb"^(\.target .*), debug$", re.MULTILINE)

_FINAL_PASSES = "pass-by-reference,function(keep-zero-signs,separate-float-bits)"
"""Avoid miscompilations: LLVM computes wrong addresses of classes that are passed by value, and
turns selections into maxima that differ in the sign of zero; ptxas turns a store of the lower bits
of a floating-point number into a conversion."""

_CUBIN = "image.cubin"

_ADVICE = (
    "NVIDIA's library has such functions: install a CUDA toolkit and put it on PATH, or:"
    f" pip install {LIBDEVICE_PACKAGE}"
)


def emit_ptx(image: DeviceImage, architecture: Architecture) -> bytes:
    """Return the image as PTX, with the functions of NVIDIA's library that it uses."""
    library = MathLibrary(_read(libdevice_path()), _ADVICE)
    known = (*_DRIVER_FUNCTIONS, GENERATION)
    ptx = emit(
        image,
        processor=architecture.name,
        features=architecture.features,
        libraries=[
            processor_functions(architecture),
            *libraries_for(image, IRFamily.NVPTX64, library, known),
        ],
        attributes=_required_sizes(image.module),
        final_passes=_FINAL_PASSES,
        assembly=True,
    )
    # With debug information, LLVM's `debug` disables ptxas's optimizations. Lines do not need it.
    return _DEBUG_TARGET.sub(rb"\1", ptx, count=1)


def processor_functions(architecture: Architecture) -> bytes:
    """Return a module that defines the functions that depend on the architecture."""
    return definition(GENERATION, f"ret i32 {architecture.generation}").encode()


@cache
def _read(path: str | None) -> bytes:
    return read_bytes(path, LLVM_IR) if path else b""


def _required_sizes(module: Module) -> Mapping[str, Mapping[str, str | None]]:
    """Return the work-group sizes that kernels require, as attributes for LLVM's back-end."""
    return {
        kernel: {"nvvm.reqntid": ",".join(map(str, size))}
        for kernel, size in work_group_sizes(module).items()
        if prod(size) <= _MAX_WORK_GROUP_SIZE
    }


def assemble(ptx: bytes, ptxas: Ptxas, target: BuildTarget) -> bytes:
    """Return a cubin; raise `CodeGenerationError` with ptxas's log if it rejects the code."""
    with work_folder() as folder:
        (folder / "image.ptx").write_bytes(ptx)
        finished = current_pool().run(
            [ptxas.path, *target.arguments, "image.ptx", "-o", _CUBIN],
            folder=folder,
            seconds=time_limit(),
            purpose=f"for {target.name}",
            outputs=[Path(_CUBIN)],
        )
        if finished.status:
            raise CodeGenerationError(finished.failure(ptxas.name))
        return (folder / _CUBIN).read_bytes()

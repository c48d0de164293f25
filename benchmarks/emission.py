"""The time of emitting SPIR-V with forms and checks, compared with LLVM's back-end only."""

import subprocess
import sys
import tempfile
from pathlib import Path

from differential.generation import random_kernels
from differential.sources import device_source

from benchmarks.figure import Figure, used_time
from dovetail.artifacts import DeviceImage
from dovetail.codegen.spirv.emit import EXTENSIONS, TRIPLE, emit_spirv
from dovetail.codegen.spirv.intrinsics import contract_with_mad
from dovetail.image import ImageInfo
from dovetail.ir import Context, Module

KERNELS = 140
ROUNDS = 9
LEVEL = 2
"""The default optimization level of the back-end."""
WITHOUT = frozenset({"vector", "reverse-bits", "add-saturated", "subtract-saturated"})
"""Constructs that the back-end cannot compile by itself."""


def measure() -> list[Figure]:
    """Compare emission with and without forms and checks, for all images of many kernels."""
    with tempfile.TemporaryDirectory() as folder:
        images = _images(Path(folder))
    ours, theirs = map(min, zip(*(_round(images) for _ in range(ROUNDS)), strict=True))
    return [
        Figure(
            f"SPIR-V of {KERNELS} kernels, with forms and checks : LLVM's back-end, optimizing",
            ours / theirs,
            f"{1000 * ours:.0f} ms : {1000 * theirs:.0f} ms",
            1.1,
        )
    ]


def _images(folder: Path) -> list[bytes]:
    """Return the bitcode of each image of random kernels."""
    source = folder / "kernels.cpp"
    kernels = random_kernels(1, range(KERNELS), WITHOUT)
    source.write_text(device_source(kernels, clang_vectors=False))
    words = ["-fsycl", "-fsyclbin", f"-save-temps={folder}", str(source), "-o", str(folder / "out")]
    subprocess.run([sys.executable, "-m", "dovetail", "c++", *words], check=True)
    return [path.read_bytes() for path in sorted(folder.glob("out.image_*.bc"))]


def _round(images: list[bytes]) -> tuple[float, float]:
    """Return the processor time for all images, with and without forms and checks.

    Child processes are included, since they generate the code.
    """
    ours = theirs = 0.0
    for code in images:
        image = DeviceImage(Module.parse(Context(), code, "image"), (), ImageInfo())
        start = used_time()
        emit_spirv(image)
        ours += used_time() - start
        module = Module.parse(Context(), code, "image")
        start = used_time()
        contract_with_mad(module)
        module.emit(triple=TRIPLE, opt_level=LEVEL, extensions=list(EXTENSIONS))
        theirs += used_time() - start
    return ours, theirs

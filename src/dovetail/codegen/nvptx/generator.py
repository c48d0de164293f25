"""The generator of PTX and cubins for NVIDIA's architectures.

A cubin is for one architecture. The PTX beside it is for that and later ones, whose drivers compile
it at run time.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dovetail.codegen.generator import NO_VALUES, BuildTarget, CodeGenerator, Values
from dovetail.codegen.nvptx.architecture import Architecture
from dovetail.codegen.processors import require_processor
from dovetail.compilers.math_libraries import libdevice_path
from dovetail.compilers.ptxas import Ptxas, find_ptxas
from dovetail.compilers.queries import file_identity
from dovetail.errors import UsageError
from dovetail.targets import default_table
from dovetail.targets.ir_family import IRFamily

if TYPE_CHECKING:
    from concurrent.futures import Future

    from dovetail.artifacts import CodeForm, DeviceImage
    from dovetail.codegen.session import CodegenSession


class NvptxGenerator(CodeGenerator):
    """LLVM's NVPTX back-end, then ptxas."""

    name = "PTX and cubin"

    def check(self, target: BuildTarget) -> None:
        architecture = _architecture(target)
        _ptxas(architecture)
        require_processor(IRFamily.NVPTX64, architecture.name)

    def key_parts(self, target: BuildTarget) -> tuple[str, ...]:
        ptxas = _ptxas(_architecture(target))
        library = libdevice_path()
        tools = [file_identity(path) for path in (ptxas.path, library) if path]
        return (*tools, target.target.options, *target.options)

    def accepts_options(self, target: BuildTarget) -> bool:
        return True

    def generate(
        self,
        image: "DeviceImage",
        targets: Sequence[BuildTarget],
        session: "CodegenSession",
        values: Values = NO_VALUES,
    ) -> "Future[tuple[CodeForm, ...]]":
        return session.pool.submit(_generate, image, targets)


def _generate(image: "DeviceImage", targets: Sequence[BuildTarget]) -> "tuple[CodeForm, ...]":
    # Imported here: planning a build need not load LLVM.
    from dovetail.codegen.nvptx.emit import assemble, emit_ptx
    from dovetail.image import IRModule, IRType, NativeImage, NativeOrigin

    # Targets with equal key parts have the same architecture and options.
    target, *others = targets
    triple = IRFamily.NVPTX64.triple
    architecture = _architecture(target)
    ptx = emit_ptx(image, architecture)
    ptxas = _ptxas(architecture)
    cubin = assemble(ptx, ptxas, target)
    names = [each.name for each in targets]
    # Code whose conditions were resolved for some targets is for these only.
    later = [] if image.info.resolved_targets else architecture.compatible_targets(default_table())
    ptx_targets = dict.fromkeys([*names, *later])
    return (
        IRModule.of(IRType.PTX, triple, ptx, targets=ptx_targets),
        NativeImage.of(
            target.name,
            triple,
            cubin,
            targets=names if others else (),
            origin=NativeOrigin.of(ptxas.name, cubin),
        ),
    )


def _architecture(target: BuildTarget) -> Architecture:
    found = Architecture.of(target.target)
    if found is None:
        raise UsageError(
            "no architecture is named",
            hint="add one to the target's options in the device configuration: -arch=sm_90",
        )
    return found


def _ptxas(architecture: Architecture) -> Ptxas:
    """Return the newest release that supports an architecture: releases drop old ones."""
    releases = find_ptxas()
    for ptxas in releases:
        if architecture.name in ptxas.architectures:
            return ptxas
    names = " and ".join(ptxas.name for ptxas in releases)
    verb = "does" if len(releases) == 1 else "do"
    raise UsageError(
        f"{names} {verb} not know the architecture '{architecture.name}'",
        hint="put a CUDA toolkit that supports it on PATH, or leave the target out",
    )

"""Native code from PTX, by ptxas."""

import shlex

from dovetail.codegen.generator import BuildTarget, CodeGenerationError
from dovetail.compilers.child import NoAnswer, run_child, work_folder
from dovetail.compilers.ptxas import Ptxas

_SECONDS = 3600.0
"""Whatever takes longer hangs."""


def assemble(ptx: bytes, ptxas: Ptxas, target: BuildTarget) -> bytes:
    """A cubin; `CodeGenerationError` with ptxas's log if there is none."""
    words = [*shlex.split(target.target.options), *target.options]
    with work_folder() as folder:
        (folder / "image.ptx").write_bytes(ptx)
        command = [ptxas.path, *words, "image.ptx", "-o", "image.cubin"]
        try:
            finished = run_child(command, folder, seconds=_SECONDS)
        except NoAnswer as error:
            raise CodeGenerationError(error.message) from None
        if finished.status != 0:
            raise CodeGenerationError(finished.told_of(ptxas.name))
        return (folder / "image.cubin").read_bytes()

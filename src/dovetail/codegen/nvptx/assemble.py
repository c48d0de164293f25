"""Native code from PTX, by ptxas."""

import shlex
from pathlib import Path

from dovetail.codegen.generator import BuildTarget, CodeGenerationError
from dovetail.compilers.ptxas import Ptxas
from dovetail.processes.pool import current_pool, work_folder
from dovetail.processes.running import time_limit

_OUTPUT = "image.cubin"


def assemble(ptx: bytes, ptxas: Ptxas, target: BuildTarget) -> bytes:
    """Return a cubin; `CodeGenerationError` with ptxas's log if it refuses the code."""
    words = [*shlex.split(target.target.options), *target.options]
    with work_folder() as folder:
        (folder / "image.ptx").write_bytes(ptx)
        finished = current_pool().run(
            [ptxas.path, *words, "image.ptx", "-o", _OUTPUT],
            folder=folder,
            seconds=time_limit(),
            purpose=f"for {target.name}",
            makes=[Path(_OUTPUT)],
        )
        if finished.status:
            raise CodeGenerationError(finished.failure(ptxas.name))
        return (folder / _OUTPUT).read_bytes()

"""Native code from PTX, by ptxas."""

import shlex

from dovetail.codegen.generator import BuildTarget, CodeGenerationError
from dovetail.compilers.child import NoAnswer, made_file, run_child, work_folder
from dovetail.compilers.ptxas import Ptxas
from dovetail.running_tools import time_limit


def assemble(ptx: bytes, ptxas: Ptxas, target: BuildTarget) -> bytes:
    """A cubin; `CodeGenerationError` with ptxas's log if there is none."""
    words = [*shlex.split(target.target.options), *target.options]
    with work_folder() as folder:
        (folder / "image.ptx").write_bytes(ptx)
        command = [ptxas.path, *words, "image.ptx", "-o", "image.cubin"]
        try:
            purpose = f"for {target.name}"
            finished = run_child(command, folder, seconds=time_limit(), purpose=purpose)
            if finished.status != 0:
                raise CodeGenerationError(finished.told_of(ptxas.name))
            return made_file(folder / "image.cubin", ptxas.name)
        except NoAnswer as error:
            raise CodeGenerationError(error.message, hint=error.hint) from None

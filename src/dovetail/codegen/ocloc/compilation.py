"""Compile SPIR-V with ocloc: with its library if that is installed, else with the program."""

import re
from collections.abc import Sequence

from dovetail.artifacts import CodeForm
from dovetail.codegen.generator import BuildTarget, CodeGenerationError
from dovetail.compilers.ocloc import Ocloc, find_ocloc
from dovetail.compilers.ocloc_library import invoke
from dovetail.image import NativeImage, NativeOrigin
from dovetail.processes.pool import current_pool, work_folder
from dovetail.processes.process import Finished
from dovetail.processes.running_tools import time_limit

TRIPLE = "spir64_gen-unknown-unknown"
"""The name of ocloc's code in DPC++'s formats."""

_COMMAND = re.compile(rb"^Command was: .*\n?", re.MULTILINE)
"""The last line of ocloc's log, which names temporary files."""

_INPUT = "image.spv"
_OUTPUT = "image"


def compile_with_ocloc(spirv: bytes, targets: Sequence[BuildTarget]) -> tuple[CodeForm, ...]:
    """Return native code for targets with equal arguments; `CodeGenerationError` on failure."""
    ocloc = find_ocloc()
    command = _command(ocloc, targets[0].arguments)
    code = _run(ocloc, command, spirv, f"for {targets[0].name}")
    names = [target.name for target in targets]
    shared = names if len(names) > 1 else ()
    origin = NativeOrigin.of(ocloc.name, code)
    return (NativeImage.of(names[0], TRIPLE, code, targets=shared, origin=origin),)


def _command(ocloc: Ocloc, arguments: Sequence[str]) -> list[str]:
    command = ["compile", *arguments, "-spirv_input", "-file", _INPUT]
    command += ["-output", _OUTPUT, "-output_no_suffix", "-out_dir", "."]
    # The program contains the SPIR-V already.
    return [*command, "-exclude_ir"] if ocloc.supports_exclude_ir else command


def _run(ocloc: Ocloc, command: Sequence[str], spirv: bytes, purpose: str) -> bytes:
    """Run ocloc, from its library if there is one, and return its output file."""
    limit = time_limit()
    if ocloc.library:
        source = (_INPUT, spirv)
        ended, code = invoke(
            ocloc.library, command, source, _OUTPUT, seconds=limit, purpose=purpose
        )
    else:
        with work_folder() as folder:
            (folder / _INPUT).write_bytes(spirv)
            ended = current_pool().run(
                [ocloc.path, *command], folder=folder, seconds=limit, purpose=purpose
            )
            output = folder / _OUTPUT
            code = output.read_bytes() if output.is_file() else None
    if ended.status == 0 and code is not None:
        return code
    failed = Finished(ended.status, _COMMAND.sub(b"", ended.output + ended.errors))
    raise CodeGenerationError(failed.failure(ocloc.name))

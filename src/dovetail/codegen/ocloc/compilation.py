"""One run of ocloc, or of its library where that is at hand."""

import re
from collections.abc import Sequence

from dovetail.artifacts import CodeForm
from dovetail.codegen.generator import BuildTarget, CodeGenerationError
from dovetail.codegen.ocloc.command import words_of
from dovetail.compilers.child import NoAnswer, run_child, work_folder
from dovetail.compilers.ocloc import Ocloc, find_ocloc
from dovetail.compilers.ocloc_library import invoke
from dovetail.image import NativeImage, NativeOrigin
from dovetail.running_tools import time_limit

TRIPLE = "spir64_gen-unknown-unknown"
"""The name under which DPC++'s formats know code that ocloc made."""

_COMMAND = re.compile(r"^Command was: .*\n?", re.MULTILINE)
"""How it ends its log: with files that are gone, and else what the user said and we name."""

_INPUT = "image.spv"
_OUTPUT = "image"


def compiled(spirv: bytes, targets: Sequence[BuildTarget]) -> tuple[CodeForm, ...]:
    """Native code for targets for which ocloc is told the same; else `CodeGenerationError`."""
    ocloc = find_ocloc()
    command = _command(ocloc, words_of(targets[0]))
    try:
        code = _run(ocloc, command, spirv, f"for {targets[0].name}")
    except NoAnswer as error:
        raise CodeGenerationError(error.message, hint=error.hint) from None
    names = [target.name for target in targets]
    shared = names if len(names) > 1 else ()
    origin = NativeOrigin.of(ocloc.name, code)
    return (NativeImage.of(names[0], TRIPLE, code, targets=shared, origin=origin),)


def _command(ocloc: Ocloc, words: Sequence[str]) -> list[str]:
    command = ["compile", *words, "-spirv_input", "-file", _INPUT]
    command += ["-output", _OUTPUT, "-output_no_suffix", "-out_dir", "."]
    # The program has the SPIR-V already.
    return [*command, "-exclude_ir"] if ocloc.can_leave_out_ir else command


def _run(ocloc: Ocloc, command: Sequence[str], spirv: bytes, purpose: str) -> bytes:
    limit = time_limit()
    if ocloc.library:
        source = (_INPUT, spirv)
        ended, code = invoke(
            ocloc.library, command, source, _OUTPUT, seconds=limit, purpose=purpose
        )
    else:
        with work_folder() as folder:
            (folder / _INPUT).write_bytes(spirv)
            ended = run_child([ocloc.path, *command], folder, seconds=limit, purpose=purpose)
            made = folder / _OUTPUT
            code = made.read_bytes() if made.is_file() else None
    if ended.status == 0 and code is not None:
        return code
    failed = ended._replace(log=_COMMAND.sub("", ended.log))
    raise CodeGenerationError(failed.told_of(ocloc.name))

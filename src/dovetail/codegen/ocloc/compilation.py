"""One run of ocloc."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from dovetail.artifacts import CodeForm
from dovetail.codegen.generator import BuildTarget, CodeGenerationError
from dovetail.codegen.ocloc.command import words_of
from dovetail.compilers.child import NoAnswer, run_child, work_folder
from dovetail.compilers.ocloc import Ocloc, find_ocloc
from dovetail.image import NativeImage, NativeOrigin

TRIPLE = "spir64_gen-unknown-unknown"
"""The name under which DPC++'s formats know code that ocloc made."""

SECONDS = 900.0
"""Large images take minutes; what takes longer than this hangs."""

_COMMAND = re.compile(r"^Command was: .*\n?", re.MULTILINE)
"""How it ends its log: with files that are gone, and else what the user said and we name."""

_INPUT = "image.spv"
_OUTPUT = "image"


def compiled(spirv: bytes, targets: Sequence[BuildTarget]) -> tuple[CodeForm, ...]:
    """Native code for targets for which ocloc is told the same; else `CodeGenerationError`."""
    ocloc = find_ocloc()
    with work_folder() as folder:
        (folder / _INPUT).write_bytes(spirv)
        code = _compile(ocloc, words_of(targets[0]), folder)
    names = [target.name for target in targets]
    shared = names if len(names) > 1 else ()
    origin = NativeOrigin.of(ocloc.name, code)
    return (NativeImage.of(names[0], TRIPLE, code, targets=shared, origin=origin),)


def _compile(ocloc: Ocloc, words: Sequence[str], folder: Path) -> bytes:
    command = [ocloc.path, "compile", *words, "-spirv_input", "-file", _INPUT]
    command += ["-output", _OUTPUT, "-output_no_suffix", "-out_dir", "."]
    if ocloc.can_leave_out_ir:
        # The program has the SPIR-V already.
        command.append("-exclude_ir")
    try:
        finished = run_child(command, folder, seconds=SECONDS)
    except NoAnswer as error:
        raise CodeGenerationError(error.message) from None
    if finished.status == 0:
        try:
            return (folder / _OUTPUT).read_bytes()
        except OSError:
            pass
    failed = replace(finished, log=_COMMAND.sub("", finished.log))
    raise CodeGenerationError(failed.told_of(ocloc.name))

"""Probe LLVM's AMDGPU back-end through clang, which rejects names that LLVM would ignore.

The controls are older processors of the same back-end that lack the feature.
"""

import re

from dovetail.probe.compiler import Answer, AnswerKind, classify
from dovetail.probe.questions import OPENCL_FLAGS, Question, opencl_c
from dovetail.processes.pool import current_pool, work_folder
from dovetail.resources import CLANG, tool_path
from dovetail.targets import Target

_TRIPLE = "amdgcn-amd-amdhsa"
_OLD_TRIPLE = "r600--"

_PROCESSOR = re.compile(r"-mcpu=([\w:+-]+)")
_VERSION = re.compile(r"clang version (\d+(?:\.\d+)+)")
_UNKNOWN = re.compile(r"invalid target ID '[^']*'|unknown target CPU '[^']*'")
_REFUSED = re.compile(
    r"use of type 'double' requires cl_khr_fp64"
    r"|unknown type name 'atomic_long'"
    r"|instruction not supported on this GPU"
    r"|option 'wavefrontsize\d+' cannot be specified on this target"
    r"|'\+wavefrontsize\d+' is not a recognized feature"
)

# The type half is accepted for every processor, since LLVM falls back to float. Only the
# instruction shows whether the hardware has half arithmetic.
_HALF = 'kernel void probe(void) { __asm__ volatile("v_add_f16 v0, v0, v0" ::: "v0"); }'
_PLAIN = "kernel void probe(global unsigned *p) { *p += 1; }"

_OLD_HARDWARE = (_OLD_TRIPLE, "redwood")
_CONTROLS = {
    Question(aspect="fp64"): _OLD_HARDWARE,
    Question(aspect="atomic64"): _OLD_HARDWARE,
    Question(aspect="fp16"): (_TRIPLE, "gfx700"),
    Question(sub_group_size=32): (_TRIPLE, "gfx900"),
    Question(sub_group_size=64): (_TRIPLE, "gfx1250"),
}
"""Triple and processor for which the question must be refused. LLVM accepts wavefronts of 16 for
every processor, a leftover from older hardware, and no other sizes than these three."""


class AmdGpu:
    """Clang, with the AMDGPU back-end of its LLVM."""

    def __init__(self, path: str, version: str) -> None:
        self._path = path
        self.name = f"LLVM {version}".strip()

    def ask(self, target: Target, question: Question) -> Answer:
        processor = _PROCESSOR.search(target.options)
        if not processor:
            return Answer(AnswerKind.NO_DEVICE)
        return self._compile(_TRIPLE, processor[1], question)

    def ask_control(self, question: Question) -> Answer | None:
        control = _CONTROLS.get(question)
        return self._compile(*control, question) if control else None

    def _compile(self, triple: str, processor: str, question: Question) -> Answer:
        source, options = _kernel(question)
        command = [self._path, *OPENCL_FLAGS, f"--target={triple}", f"-mcpu={processor}"]
        command += [*options, "-c", "-", "-o", "probe.o"]
        with work_folder() as folder:
            finished = current_pool().run(command, folder=folder, stdin=source.encode())
        return classify(finished, refusal=_REFUSED, unknown=_UNKNOWN)


def _kernel(question: Question) -> tuple[str, tuple[str, ...]]:
    """Return source and options; the wavefront size is an option of the compilation."""
    if question.sub_group_size:
        feature = f"+wavefrontsize{question.sub_group_size}"
        return _PLAIN, ("-Xclang", "-target-feature", "-Xclang", feature)
    return (_HALF if question.aspect == "fp16" else opencl_c(question)), ()


def find() -> list[AmdGpu]:
    """Return LLVM 22's clang; raise `ToolMissing` if it is not installed."""
    path = tool_path(CLANG)
    with work_folder() as folder:
        version = _VERSION.search(current_pool().run([path, "--version"], folder=folder).log)
    return [AmdGpu(path, version[1] if version else "")]

"""Intel's OpenCL CPU runtime, asked in SPIR-V as Dovetail's builds ask it."""

import re

from dovetail.compilers import opencl_cpu
from dovetail.compilers.cpu_kinds import TARGET_SETTING
from dovetail.compilers.opencl_cpu import Compilation, compile_spirv, find_opencl_cpu
from dovetail.probe.compiler import Answer, Said
from dovetail.probe.questions import IMPOSSIBLE_SIZE, Question, spirv
from dovetail.resources import CLANG, tool_path
from dovetail.targets import Target

_PROCESSOR = re.compile(r"-march=([\w-]+)")
"""In a target's options; without it, the target is the machine's own processor."""

_OLDEST = "corei7"
"""A processor without any of the newer vector instructions."""

_SIZE_REFUSED = re.compile(r"vectorization width \d+|[Rr]equired subgroup size")
"""How the runtime refuses a sub-group size; it is not known to refuse anything else."""


class OpenCLCpuProbe:
    """The runtime, if it is installed."""

    def __init__(self, name: str) -> None:
        self.name = name

    def ask(self, target: Target, question: Question) -> Answer:
        processor = _PROCESSOR.search(target.options)
        return self._build(processor[1] if processor else "", question)

    def ask_control(self, question: Question) -> Answer:
        if question.sub_group_size:
            return self._build("", Question(sub_group_size=IMPOSSIBLE_SIZE))
        return self._build(_OLDEST, question)

    def _build(self, processor: str, question: Question) -> Answer:
        return _meaning(compile_spirv(spirv(question), processor), processor)


def _meaning(built: Compilation, processor: str) -> Answer:
    if built.outcome == opencl_cpu.BUILT:
        return Answer(Said.YES)
    if built.outcome == opencl_cpu.REFUSED and _SIZE_REFUSED.search(built.said):
        return Answer(Said.NO, built.said)
    if built.outcome == opencl_cpu.UNAVAILABLE and processor:
        return Answer(Said.UNKNOWN_TARGET, f"{TARGET_SETTING}={processor}: {built.said}")
    return Answer(Said.NOTHING, built.said)


def find() -> list[OpenCLCpuProbe]:
    """The runtime on this machine; `ToolMissing` if there is none or no clang to make SPIR-V."""
    tool_path(CLANG)
    return [OpenCLCpuProbe(find_opencl_cpu().name)]

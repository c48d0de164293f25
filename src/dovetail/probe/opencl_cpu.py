"""Probe Intel's OpenCL CPU runtime with SPIR-V as Dovetail's builds produce it."""

import re

from dovetail.compilers import opencl_cpu
from dovetail.compilers.cpu_kinds import TARGET_SETTING
from dovetail.compilers.opencl_cpu import Compilation, compile_spirv, find_opencl_cpu
from dovetail.probe.compiler import Answer, AnswerKind
from dovetail.probe.questions import IMPOSSIBLE_SIZE, Question, spirv
from dovetail.resources import CLANG, tool_path
from dovetail.targets import Target

_PROCESSOR = re.compile(r"-march=([\w-]+)")
"""In a target's options; without it, the target is the host's processor."""

_OLDEST = "corei7"
"""A processor without the newer vector instructions."""

_SIZE_REFUSED = re.compile(r"vectorization width \d+|[Rr]equired subgroup size")
"""The runtime's messages for a rejected sub-group size, its only known refusals."""


class OpenCLCpuProbe:
    """The installed runtime."""

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
        return _answer_of(compile_spirv(spirv(question), processor), processor)


def _answer_of(built: Compilation, processor: str) -> Answer:
    if built.outcome == opencl_cpu.BUILT:
        return Answer(AnswerKind.ACCEPTED)
    if built.outcome == opencl_cpu.REFUSED and _SIZE_REFUSED.search(built.message):
        return Answer(AnswerKind.REFUSED, built.message)
    if built.outcome == opencl_cpu.UNAVAILABLE and processor:
        return Answer(AnswerKind.UNKNOWN_TARGET, f"{TARGET_SETTING}={processor}: {built.message}")
    return Answer(AnswerKind.FAILED, built.message)


def find() -> list[OpenCLCpuProbe]:
    """Return the installed runtime; raise `ToolMissing` without it, or without clang for SPIR-V."""
    tool_path(CLANG)
    return [OpenCLCpuProbe(find_opencl_cpu().name)]

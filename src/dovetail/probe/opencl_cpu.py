"""Intel's OpenCL CPU runtime, which compiles for the machine's own processor or a named one.

With `CL_CONFIG_CPU_TARGET_ARCH` set to a processor's name, as LLVM spells it, the runtime generates
code for that one; a name that it does not know makes the device unavailable. Kernels are built in
child processes: the setting is read once a process, and a build that crashes, as some do for the
newest processors, must not take the report with it.
"""

import json
import os
import re
import sys
from pathlib import Path
from typing import cast

from dovetail.compilers.child import Finished, run_child, work_folder
from dovetail.errors import ToolMissing
from dovetail.probe import opencl_child
from dovetail.probe.compiler import Answer, Said
from dovetail.probe.kernels import spirv
from dovetail.probe.questions import IMPOSSIBLE_SIZE, Question
from dovetail.resources import CLANG, tool_path
from dovetail.targets import Target

_SETTING = "CL_CONFIG_CPU_TARGET_ARCH"

_PROCESSOR = re.compile(r"-march=([\w-]+)")
"""In a target's options; without it, the target is the machine's own processor."""

_OLDEST = "corei7"
"""A processor without any of the newer vector instructions."""

_SIZE_REFUSED = re.compile(r"vectorization width \d+|[Rr]equired subgroup size")
"""How the runtime refuses a sub-group size; it is not known to refuse anything else."""


class OpenCLCpu:
    """The runtime, if it is installed."""

    def __init__(self, version: str) -> None:
        self.name = f"Intel OpenCL CPU runtime {version}"

    def ask(self, target: Target, question: Question) -> Answer:
        processor = _PROCESSOR.search(target.options)
        return self._build(processor[1] if processor else "", question)

    def ask_control(self, question: Question) -> Answer:
        if question.sub_group_size:
            return self._build("", Question(sub_group_size=IMPOSSIBLE_SIZE))
        return self._build(_OLDEST, question)

    def _build(self, processor: str, question: Question) -> Answer:
        # The child must find this package wherever we found it; '' is the current folder.
        paths = [entry or str(Path.cwd()) for entry in sys.path]
        environment = {"PYTHONPATH": os.pathsep.join(paths)}
        if processor:
            environment[_SETTING] = processor
        command = [sys.executable, "-m", opencl_child.__name__]
        with work_folder() as folder:
            finished = run_child(command, folder, stdin=spirv(question), environment=environment)
        return _answer(finished, processor)


def _answer(finished: Finished, processor: str) -> Answer:
    for line in reversed(finished.log.splitlines()):
        if line.startswith(opencl_child.VERDICT):
            verdict = json.loads(line.removeprefix(opencl_child.VERDICT))
            return _meaning(*cast(tuple[str, str], verdict), processor)
    return Answer(Said.NOTHING, f"it crashed ({finished.ending}): {finished.last_words}")


def _meaning(outcome: str, text: str, processor: str) -> Answer:
    if outcome == opencl_child.BUILT:
        return Answer(Said.YES)
    if outcome == opencl_child.REFUSED and _SIZE_REFUSED.search(text):
        return Answer(Said.NO, text)
    if outcome == opencl_child.UNAVAILABLE and processor:
        return Answer(Said.UNKNOWN_TARGET, f"{_SETTING}={processor}: {text}")
    return Answer(Said.NOTHING, text)


def find() -> list[OpenCLCpu]:
    """The runtime on this machine; `ToolMissing` if there is none or no clang to make SPIR-V."""
    tool_path(CLANG)
    device = opencl_child.find_device()
    if device is None:
        raise ToolMissing(
            "Intel's OpenCL CPU runtime is not installed",
            hint="pip install intel-opencl-rt intel-cmplr-lib-rt",
        )
    return [OpenCLCpu(device.driver_version)]

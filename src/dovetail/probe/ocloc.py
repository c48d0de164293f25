"""Probe ocloc, Intel's GPU compiler, with SPIR-V as Dovetail's builds produce it.

It checks double and the sub-group sizes. Half and 64-bit atomics cannot be probed: ocloc accepts
them for every device, so there is no control that it rejects.
"""

import re

from dovetail.compilers.ocloc import find_ocloc
from dovetail.probe.compiler import NEVER, Answer, AnswerKind, classify
from dovetail.probe.questions import IMPOSSIBLE_SIZE, Question, spirv
from dovetail.processes.pool import current_pool, work_folder
from dovetail.resources import CLANG, tool_path
from dovetail.targets import Target

_DEVICE = re.compile(r"-device[ =]([\w.-]+)")
_UNKNOWN = re.compile(r"Cannot get HW Info for device [\w.-]*\w")
_DOUBLE_REFUSED = re.compile(r"Double type is not supported on this platform")
_SIZE_REFUSED = re.compile(
    r"Unsupported required sub group size|required subgroup size \d+, which is unsupported"
)

_WITHOUT_DOUBLE = "icllp"
_ANY_DEVICE = "skl"


class OclocProbe:
    """An installed ocloc."""

    def __init__(self, path: str, name: str) -> None:
        self._path = path
        self.name = name

    def ask(self, target: Target, question: Question) -> Answer:
        device = _DEVICE.search(target.options)
        if not device:
            return Answer(AnswerKind.NO_DEVICE)
        return self._compile(device[1], question)

    def ask_control(self, question: Question) -> Answer | None:
        if question.sub_group_size:
            return self._compile(_ANY_DEVICE, Question(sub_group_size=IMPOSSIBLE_SIZE))
        if question.aspect == "fp64":
            return self._compile(_WITHOUT_DOUBLE, question)
        return None

    def _compile(self, device: str, question: Question) -> Answer:
        """Compile the question's kernel for a device, and return whether ocloc accepts it."""
        command = [self._path, "compile", "-spirv_input", "-file", "probe.spv"]
        command += ["-device", device, "-out_dir", "."]
        with work_folder() as folder:
            (folder / "probe.spv").write_bytes(spirv(question))
            finished = current_pool().run(command, folder=folder)
        return classify(finished, refusal=_refusal(question), unknown=_UNKNOWN)


def _refusal(question: Question) -> re.Pattern[str]:
    if question.sub_group_size:
        return _SIZE_REFUSED
    return _DOUBLE_REFUSED if question.aspect == "fp64" else NEVER


def find() -> list[OclocProbe]:
    """Return the ocloc on PATH; raise `ToolMissing` without it, or without clang for SPIR-V."""
    installed = find_ocloc()
    tool_path(CLANG)
    return [OclocProbe(installed.path, installed.name)]

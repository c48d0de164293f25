"""The interface of the compilers that the probe runs.

Each kind of compiler is a module in this package with a class and a function `find`, which returns
the installed ones or raises `ToolMissing`; `runner.TOOLCHAINS` lists them.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, TypeAlias

from dovetail.probe.questions import Question
from dovetail.processes.process import Finished
from dovetail.targets import Target


class AnswerKind(StrEnum):
    """The outcome of compiling a question's kernel."""

    ACCEPTED = "yes"
    """The kernel was compiled."""
    REFUSED = "no"
    """The kernel was rejected because of the feature that it uses."""
    UNKNOWN_TARGET = "unknown target"
    """The compiler does not know the target."""
    NO_DEVICE = "not asked"
    """The target's options do not name a device."""
    FAILED = "nothing"
    """The compiler failed for another reason: a crash, a timeout or an error in the kernel."""


@dataclass(frozen=True)
class Answer:
    """A compiler's answer to one question about one target."""

    kind: AnswerKind
    text: str = ""
    """The compiler's output; for `FAILED`, a description of the failure."""


class Compiler(Protocol):
    """An installed release of a compiler; thread-safe."""

    @property
    def name(self) -> str:
        """Name and version, such as `ocloc 22.43.24595`."""
        ...

    def ask(self, target: Target, question: Question) -> Answer:
        """Compile the question's kernel for a target."""
        ...

    def ask_control(self, question: Question) -> Answer | None:
        """Compile a kernel that must be refused, such as one for hardware without the feature.

        This shows whether the compiler checks the feature at all. Return None if there is no such
        kernel.
        """
        ...


FindCompilers: TypeAlias = Callable[[], Sequence[Compiler]]
"""Returns the installed compilers, the preferred one first; raises `ToolMissing` if none is."""

NEVER = re.compile(r"(?!)")
"""Matches no text: for questions without a known refusal."""

_CRASH = "PLEASE submit a bug report"
"""The start of LLVM's crash report; the exit status after a crash can be any."""


def classify(finished: Finished, *, refusal: re.Pattern[str], unknown: re.Pattern[str]) -> Answer:
    """Return the answer that a finished compiler process gives.

    Only a message that matches `refusal` is a refusal. Any other failure may be an error in the
    compiler or in the kernel.
    """
    if finished.status < 0 or _CRASH in finished.log:
        return Answer(
            AnswerKind.FAILED, f"it crashed ({finished.termination}): {finished.log_excerpt}"
        )
    unknown_target = unknown.search(finished.log)
    if unknown_target:
        return Answer(AnswerKind.UNKNOWN_TARGET, unknown_target[0])
    if refusal.search(finished.log):
        return Answer(AnswerKind.REFUSED, finished.log)
    if finished.status == 0:
        return Answer(AnswerKind.ACCEPTED, finished.log)
    return Answer(AnswerKind.FAILED, f"it failed ({finished.termination}): {finished.log_excerpt}")

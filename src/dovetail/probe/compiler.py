"""What the probe asks of a compiler, and no more.

A compiler is a module beside this file with a class and a function `find`, which returns those that
are installed or raises `ToolMissing`; `toolchains.py` lists them.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, TypeAlias

from dovetail.probe.questions import Question
from dovetail.processes.process import Finished
from dovetail.targets import Target


class Said(StrEnum):
    """What became of a kernel."""

    YES = "yes"
    """It was compiled."""
    NO = "no"
    """It was refused, for the feature that it uses."""
    UNKNOWN_TARGET = "unknown target"
    """The compiler does not know the target."""
    NOT_ASKED = "not asked"
    """The target's options name no device to ask about."""
    NOTHING = "nothing"
    """The compiler failed in another way: it crashed, ran out of time or broke on our kernel."""


@dataclass(frozen=True)
class Answer:
    """A compiler's answer to one question about one target."""

    said: Said
    text: str = ""
    """The compiler's words; for `NOTHING`, what went wrong."""


class Compiler(Protocol):
    """One release of a compiler that is installed. Several threads ask at once."""

    @property
    def name(self) -> str:
        """With the version, such as `ocloc 22.43.24595`."""
        ...

    def ask(self, target: Target, question: Question) -> Answer:
        """Compile the question's kernel for a target."""
        ...

    def ask_control(self, question: Question) -> Answer | None:
        """Compile what ought to be refused, such as the kernel for hardware without the feature.

        None if there is no such kernel. It shows whether the compiler looks at the feature at all.
        """
        ...


FindCompilers: TypeAlias = Callable[[], Sequence[Compiler]]
"""Those that are installed, the preferred one first; `ToolMissing` if there is none."""

NEVER = re.compile(r"(?!)")
"""Matches no text: for a question of which no refusal is known."""

_CRASH = "PLEASE submit a bug report"
"""How LLVM's programs begin to tell of a crash; they may exit with any status then."""


def judge(finished: Finished, *, refusal: re.Pattern[str], unknown: re.Pattern[str]) -> Answer:
    """What a child process's end means.

    A failure alone is no refusal. Only the words that belong to the feature are; all other failures
    might come from a fault in the compiler or in our kernel.
    """
    if finished.status < 0 or _CRASH in finished.log:
        return Answer(Said.NOTHING, f"it crashed ({finished.termination}): {finished.log_excerpt}")
    unknown_target = unknown.search(finished.log)
    if unknown_target:
        return Answer(Said.UNKNOWN_TARGET, unknown_target[0])
    if refusal.search(finished.log):
        return Answer(Said.NO, finished.log)
    if finished.status == 0:
        return Answer(Said.YES, finished.log)
    return Answer(Said.NOTHING, f"it failed ({finished.termination}): {finished.log_excerpt}")

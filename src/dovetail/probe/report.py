"""The probe's report: one cell for each target and question."""

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum

from dovetail.capabilities import Verdict
from dovetail.probe.compiler import AnswerKind
from dovetail.probe.questions import Question
from dovetail.targets import Target


class ProbeOutcome(StrEnum):
    """How an answer compares with the table."""

    AGREES = "agrees"
    DISAGREES = "disagrees"
    UNLISTED = "unlisted"
    """The compiler accepts a feature for which the table says neither yes nor no."""
    INCONCLUSIVE = "cannot be asked"
    """No answer that counts."""


class Obstacle(StrEnum):
    """Why a question has no answer that counts."""

    NOT_ONE_DEVICE = "not one device"
    """The entry has no compiler, or its options do not name a device."""
    TOOLCHAIN_UNKNOWN = "toolchain unknown"
    """The probe does not support the entry's compiler."""
    COMPILER_MISSING = "compiler missing"
    TARGET_UNKNOWN = "target unknown"
    """The installed compiler does not know the target."""
    NEVER_REFUSED = "never refused"
    """The compiler accepted the question for every target and control."""
    NO_ANSWER = "no answer"
    """The compiler crashed, timed out or failed for another reason."""


@dataclass(frozen=True)
class Cell:
    """One question about one target."""

    target: str
    question: Question
    listed: Verdict
    """The verdict of the table."""
    outcome: ProbeOutcome
    answer: AnswerKind | None = None
    """None without a compiler."""
    compiler: str = ""
    """Name and version; empty without a compiler."""
    obstacle: Obstacle | None = None
    reason: str = ""
    """The explanation of the obstacle, and what to do about it."""


@dataclass(frozen=True)
class Report:
    """All cells, by target in the table's order and by question."""

    cells: tuple[Cell, ...]

    def of(self, outcome: ProbeOutcome) -> list[Cell]:
        """Return the cells with an outcome."""
        return [cell for cell in self.cells if cell.outcome is outcome]

    @property
    def counts(self) -> dict[ProbeOutcome, int]:
        """The number of cells with each outcome, including 0."""
        counted = Counter(cell.outcome for cell in self.cells)
        return {outcome: counted[outcome] for outcome in ProbeOutcome}

    @property
    def is_clean(self) -> bool:
        """Whether no cell disagrees or is unlisted."""
        return not self.of(ProbeOutcome.DISAGREES) and not self.of(ProbeOutcome.UNLISTED)


def listed(target: Target, question: Question) -> Verdict:
    """Return the verdict of the table."""
    if question.sub_group_size:
        return target.sub_group_verdict(question.sub_group_size)
    return target.verdict(question.aspect)


def compare(verdict: Verdict, answer: AnswerKind) -> ProbeOutcome:
    """Return how an acceptance or a refusal compares with the verdict of the table.

    If the table leaves it open, a refusal agrees, and an accepted feature could be listed.
    """
    if verdict == "may":
        return ProbeOutcome.UNLISTED if answer is AnswerKind.ACCEPTED else ProbeOutcome.AGREES
    return ProbeOutcome.AGREES if verdict == answer else ProbeOutcome.DISAGREES

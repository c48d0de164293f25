"""What the probe found: one cell for each target and question."""

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum

from dovetail.capabilities import Verdict
from dovetail.probe.compiler import Said
from dovetail.probe.questions import Question
from dovetail.targets import Target


class ProbeOutcome(StrEnum):
    """How an answer compares with the table."""

    AGREES = "agrees"
    DISAGREES = "disagrees"
    UNLISTED = "unlisted"
    """The target has it and the table does not know: an entry that could say more."""
    CANNOT_BE_ASKED = "cannot be asked"


class Obstacle(StrEnum):
    """Why a question cannot be asked."""

    NOT_ONE_DEVICE = "not one device"
    """The entry names no compiler, or no device to its compiler: it stands for many."""
    TOOLCHAIN_UNKNOWN = "toolchain unknown"
    """The entry names a compiler that the probe cannot run."""
    COMPILER_MISSING = "compiler missing"
    TARGET_UNKNOWN = "target unknown"
    """The compiler is there and does not know the target."""
    NEVER_REFUSED = "never refused"
    """The compiler said yes whenever it was asked, of the controls too."""
    NO_ANSWER = "no answer"
    """The compiler crashed, ran out of time or failed for another reason."""


@dataclass(frozen=True)
class Cell:
    """One question about one target."""

    target: str
    question: Question
    listed: Verdict
    """What the table says."""
    outcome: ProbeOutcome
    said: Said | None = None
    """What the compiler said; None if there was none to ask."""
    compiler: str = ""
    """With its version; empty if there was none to ask."""
    obstacle: Obstacle | None = None
    reason: str = ""
    """For what cannot be asked: why not, and what to do about it."""


@dataclass(frozen=True)
class Report:
    """All cells, by target in the table's order and by question."""

    cells: tuple[Cell, ...]

    def of(self, outcome: ProbeOutcome) -> list[Cell]:
        """The cells of one outcome."""
        return [cell for cell in self.cells if cell.outcome is outcome]

    @property
    def counts(self) -> dict[ProbeOutcome, int]:
        """How many cells there are of each outcome, also of those that did not occur."""
        counted = Counter(cell.outcome for cell in self.cells)
        return {outcome: counted[outcome] for outcome in ProbeOutcome}

    @property
    def is_clean(self) -> bool:
        """Whether the table agrees with every compiler that could be asked."""
        return not self.of(ProbeOutcome.DISAGREES) and not self.of(ProbeOutcome.UNLISTED)


def listed(target: Target, question: Question) -> Verdict:
    """What the table says."""
    if question.sub_group_size:
        return target.sub_group_verdict(question.sub_group_size)
    return target.verdict(question.aspect)


def compare(verdict: Verdict, said: Said) -> ProbeOutcome:
    """How a yes or no compares with what the table says.

    Where the table leaves it open, a no agrees: what is not listed is not there. A yes is a fact
    that the table could list.
    """
    if verdict == "may":
        return ProbeOutcome.UNLISTED if said is Said.YES else ProbeOutcome.AGREES
    return ProbeOutcome.AGREES if verdict == said else ProbeOutcome.DISAGREES

"""What came of a load."""

from __future__ import annotations

from dataclasses import dataclass

from soak.memory import megabytes

_ALLOWANCE = 16 << 20
"""Bytes that memory may grow by between the first quarter and the end."""


@dataclass(frozen=True)
class Report:
    """One load's."""

    name: str
    done: str
    """What was done, in words."""
    faults: list[str]
    early: int
    """Bytes of memory after a quarter of the time."""
    late: int
    """And at the end."""

    @property
    def all_faults(self) -> list[str]:
        """Also that memory has grown."""
        if self.late <= self.early + _ALLOWANCE:
            return self.faults
        grown = f"memory grew from {megabytes(self.early)} to {megabytes(self.late)}"
        return [*self.faults, grown]

    def __str__(self) -> str:
        lines = [f"WRONG: {fault}" for fault in self.all_faults]
        memory = f"memory {megabytes(self.early)} at a quarter, {megabytes(self.late)} at the end"
        return "\n".join([*lines, f"{self.name}: {self.done}; {memory}"])

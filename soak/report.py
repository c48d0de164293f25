"""The result of a load test."""

from __future__ import annotations

from dataclasses import dataclass

from soak.memory import megabytes

_GROWTH_ALLOWANCE = 16 << 20
"""Bytes by which memory may grow between a quarter of the time and the end."""


@dataclass(frozen=True)
class Report:
    """The result of one load."""

    name: str
    done: str
    """A description of the work done."""
    faults: list[str]
    early: int
    """Bytes of memory after a quarter of the time."""
    late: int
    """Bytes of memory at the end."""

    @property
    def all_faults(self) -> list[str]:
        """The faults, including growth of memory."""
        if self.late <= self.early + _GROWTH_ALLOWANCE:
            return self.faults
        grown = f"memory grew from {megabytes(self.early)} to {megabytes(self.late)}"
        return [*self.faults, grown]

    def __str__(self) -> str:
        lines = [f"WRONG: {fault}" for fault in self.all_faults]
        memory = f"memory {megabytes(self.early)} at a quarter, {megabytes(self.late)} at the end"
        return "\n".join([*lines, f"{self.name}: {self.done}; {memory}"])

"""The architectures of NVIDIA's GPUs, by the names that ptxas has for them."""

import re
import shlex
from typing import NamedTuple, Self

from dovetail.targets import Table, Target

_OPTION = re.compile(r"(?:-arch|--gpu-name)[ =](sm_\w+)")
_NAME = re.compile(r"sm_(\d+)([a-z]?)")

_FIRST_WITH_NEWER_PTX = 75


class Architecture(NamedTuple):
    """What code for a GPU is made for."""

    name: str
    """Such as sm_90a."""
    generation: int
    """The number in it."""
    is_specific: bool
    """Whether the code uses what no other architecture has, later ones included."""

    @classmethod
    def of(cls, target: Target) -> Self | None:
        """That of a target; None if its options name none that ptxas could have."""
        option = _OPTION.search(" ".join(shlex.split(target.options)))
        name = _NAME.fullmatch(option[1]) if option else None
        return cls(name[0], int(name[1]), bool(name[2])) if name else None

    @property
    def features(self) -> str:
        """What LLVM is told beside the name.

        LLVM writes the oldest version of PTX that has the architecture, so that as many drivers as
        can be read it. Work-items that work together need instructions of PTX 6.3, which older
        architectures have too.
        """
        return "+ptx63" if self.generation < _FIRST_WITH_NEWER_PTX else ""

    def takers(self, table: Table) -> list[str]:
        """The targets of a table whose drivers can take PTX that was made for this architecture.

        That is this one and all later, unless the code is for this one alone.
        """
        known = ((target.name, Architecture.of(target)) for target in table)
        return [name for name, other in known if other and self._runs_on(other)]

    def _runs_on(self, other: "Architecture") -> bool:
        if self.is_specific:
            return other.name == self.name
        return other.generation >= self.generation

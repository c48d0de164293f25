"""The architectures of NVIDIA's GPUs, by ptxas's names."""

import re
import shlex
from typing import NamedTuple, Self

from dovetail.targets import Table, Target

_OPTION = re.compile(r"(?:-arch|--gpu-name)[ =](sm_\w+)")
_NAME = re.compile(r"sm_(\d+)([a-z]?)")

_FIRST_WITH_NEWER_PTX = 75


class Architecture(NamedTuple):
    """The architecture that code is generated for."""

    name: str
    """Such as sm_90a."""
    generation: int
    """The number in the name."""
    is_specific: bool
    """Whether the code runs on this architecture only, not on later ones (`sm_90a`)."""

    @classmethod
    def of(cls, target: Target) -> Self | None:
        """Return the architecture in a target's options, or None."""
        option = _OPTION.search(" ".join(shlex.split(target.options)))
        name = _NAME.fullmatch(option[1]) if option else None
        return cls(name[0], int(name[1]), bool(name[2])) if name else None

    @property
    def features(self) -> str:
        """LLVM's features for the architecture.

        LLVM emits the oldest version of PTX that has the architecture, which most drivers support.
        Group algorithms need instructions of PTX 6.3, which older architectures have too.
        """
        return "+ptx63" if self.generation < _FIRST_WITH_NEWER_PTX else ""

    def compatible_targets(self, table: Table) -> list[str]:
        """Return the targets whose drivers can compile PTX for this architecture.

        These are this and all later ones, or only this one if the code is specific.
        """
        known = ((target.name, Architecture.of(target)) for target in table)
        return [name for name, other in known if other and self._runs_on(other)]

    def _runs_on(self, other: "Architecture") -> bool:
        if self.is_specific:
            return other.name == self.name
        return other.generation >= self.generation

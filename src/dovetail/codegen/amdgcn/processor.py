"""The processors of AMD's GPUs, by LLVM's names."""

import re
import shlex
from typing import NamedTuple, Self

from dovetail.targets import Target

_OPTION = re.compile(r"(?:-mcpu|--offload-arch)[ =]([\w:+-]+)")
_NAME = re.compile(r"gfx(\d+)(\d)([0-9a-f])")
_ANY_OF_GENERATION = re.compile(r"gfx(\d+)(?:-\d)?-generic")


class Processor(NamedTuple):
    """The processor and target features that code is generated for."""

    name: str
    """Such as gfx90a; empty if the target's options name none."""
    settings: tuple[str, ...]
    """Target features, as LLVM spells them: +xnack for `gfx90a:xnack+`."""

    @classmethod
    def of(cls, target: Target) -> Self:
        """Return the processor in a target's options."""
        option = _OPTION.search(" ".join(shlex.split(target.options)))
        name, *settings = option[1].split(":") if option else [""]
        return cls(name, tuple(f"{each[-1]}{each[:-1]}" for each in settings))

    @property
    def generation(self) -> int:
        """The generation, such as 10 for gfx1030; 0 if the name has none."""
        parts = _NAME.fullmatch(self.name) or _ANY_OF_GENERATION.fullmatch(self.name)
        return int(parts[1]) if parts else 0

    @property
    def version(self) -> int:
        """The ISA version in AMD's library: 9010 for gfx90a, 10300 for gfx1030."""
        parts = _NAME.fullmatch(self.name)
        if not parts:
            return 0
        major, minor, stepping = int(parts[1]), int(parts[2]), int(parts[3], 16)
        return major * 1000 + minor * 100 + stepping

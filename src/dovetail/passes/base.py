"""What a pass is, and names for functions of one source that no other source may have."""

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass, field, fields
from pathlib import PurePath
from typing import ClassVar

from dovetail.facts import Facts
from dovetail.ir import Module
from dovetail.targets import Table, default_table


@dataclass(frozen=True)
class PassContext:
    """What a pass may know besides the module."""

    facts: Facts = field(default_factory=Facts)
    unique_prefix: str = ""
    """For names of functions that have to differ between sources."""
    targets: Table = field(default_factory=default_table)
    """What is known of targets, for passes that are for one."""


@dataclass(frozen=True)
class ModulePass(ABC):
    """A change to one module. Subclasses are frozen dataclasses whose fields are the options."""

    name: ClassVar[str]

    @abstractmethod
    def apply(self, context: PassContext, module: Module) -> None:
        """Change the module in place."""

    def __str__(self) -> str:
        given = [
            f"{option.name.replace('_', '-')}={getattr(self, option.name)}"
            for option in fields(self)
            if getattr(self, option.name) != option.default
        ]
        return f"{self.name}{{{';'.join(given)}}}" if given else self.name


def unique_part(context: PassContext, module: Module) -> str:
    """What tells the source from others; by its name, if nobody said more."""
    return context.unique_prefix or re.sub(r"\W", "_", PurePath(module.name).stem, flags=re.ASCII)


def external_name(symbol: str, unique: str) -> str:
    """The name of an internal function that other modules are to refer to."""
    # Assemblers of all devices take a dollar sign in names, but PTX no dot.
    return f"{symbol}${unique}"

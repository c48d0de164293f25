"""The base class of passes, and unique names for internal functions of a source."""

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
    """The inputs of a pass besides the module."""

    facts: Facts = field(default_factory=Facts)
    unique_prefix: str = ""
    """Identifies the source in names that must be unique in the program."""
    targets: Table = field(default_factory=default_table)
    """The table of targets, for passes that resolve conditions."""


@dataclass(frozen=True)
class ModulePass(ABC):
    """A pass over one module. Subclasses are frozen dataclasses whose fields are the options."""

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
    """Return the prefix that identifies a source, by default derived from its name."""
    return context.unique_prefix or re.sub(r"\W", "_", PurePath(module.name).stem, flags=re.ASCII)


def external_name(symbol: str, unique: str) -> str:
    """Return the external name of an internal function to which other modules refer."""
    # All assemblers accept a dollar sign in names; PTX does not accept a dot.
    return f"{symbol}${unique}"

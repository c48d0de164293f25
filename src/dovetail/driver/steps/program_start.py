"""Hand both sides of a program to whoever starts it, in a process that may not come back."""

from typing import NamedTuple

from dovetail.driver.step import AnyStep, Results, Step
from dovetail.driver.steps.host_link import HostLink
from dovetail.driver.steps.packaging import Packaging


class ProgramStartFields(NamedTuple):
    """What is started."""

    program: Packaging
    library: HostLink
    name: str
    """The first source."""
    arguments: tuple[str, ...]
    """What the program's main gets, after its name."""


class ProgramStart(Step[tuple[bytes, bytes]], ProgramStartFields):
    """The device program and the host library."""

    __slots__ = ()
    title = "start"
    makes = "exit status"
    is_immediate = True
    can_be_cached = False

    def inputs(self) -> tuple[AnyStep, ...]:
        return (self.program, self.library)

    def words(self) -> tuple[str, ...]:
        return (self.title, self.name, *self.arguments)

    def combine(self, results: Results) -> tuple[bytes, bytes]:
        return results.of(self.program), results.of(self.library).content

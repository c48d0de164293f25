"""The step that combines both sides of a program to run it now."""

from typing import NamedTuple

from dovetail.driver.step import AnyStep, Results, Step
from dovetail.driver.steps.host_link import HostLink
from dovetail.driver.steps.packaging import Packaging


class ProgramStartFields(NamedTuple):
    """Both sides of a program, and its command line."""

    program: Packaging
    library: HostLink
    name: str
    """The path of the first source, used as the program's name."""
    arguments: tuple[str, ...]
    """The arguments of the program's `main`, after its name."""


class ProgramStart(Step[tuple[bytes, bytes]], ProgramStartFields):
    """Return the device program and the host library, which the command then runs."""

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

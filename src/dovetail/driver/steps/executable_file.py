"""The steps that combine both sides of a program: into an executable file, or to run it now."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from dovetail.driver.step import AnyStep, Results, Session, Step, Task
from dovetail.driver.steps.host_link import HostLink
from dovetail.driver.steps.packaging import Packaging


class ExecutableFileFields(NamedTuple):
    """Both sides of a program, and the file to write."""

    program: Packaging
    library: HostLink
    output: Path


class ExecutableFile(Step[bytes], ExecutableFileFields):
    """Make the content of an executable file."""

    __slots__ = ()
    title = "executable"
    makes = "program"
    can_be_restored = True
    not_in_key = ("output",)

    def inputs(self) -> tuple[AnyStep, ...]:
        return (self.program, self.library)

    def words(self) -> tuple[str, ...]:
        return (self.title, os.fspath(self.output))

    def extra_key(self) -> tuple[str, ...]:
        return (sys.executable,)

    def run(self, task: Task) -> bytes:
        from dovetail.image.executable import Executable
        from dovetail.package import package_executable

        program, library = task.results.of(self.program), task.results.of(self.library)
        return package_executable(Executable(program, library.content))

    def serialize(self, task: Task, result: bytes) -> bytes:
        return result

    def deserialize(self, content: bytes, session: Callable[[], Session]) -> bytes:
        return content


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

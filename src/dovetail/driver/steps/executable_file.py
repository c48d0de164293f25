"""Put both sides of a program into a file that starts it, or hand them to whoever starts it now."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from dovetail.driver.step import AnyStep, Results, Session, Step, Task
from dovetail.driver.steps.host_link import HostLink
from dovetail.driver.steps.packaging import Packaging


class ExecutableFileFields(NamedTuple):
    """Both sides."""

    program: Packaging
    library: HostLink
    output: Path


class ExecutableFile(Step[bytes], ExecutableFileFields):
    """The content of the file."""

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
    """What is started."""

    program: Packaging
    library: HostLink
    name: str
    """The first source."""
    arguments: tuple[str, ...]
    """What the program's main gets, after its name."""


class ProgramStart(Step[tuple[bytes, bytes]], ProgramStartFields):
    """The device program and the host library, for a process that may not come back."""

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

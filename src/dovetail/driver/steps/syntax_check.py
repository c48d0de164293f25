"""The steps of `-fsyntax-only`: check a source for one side."""

from collections.abc import Callable, Mapping
from pathlib import Path

from dovetail.driver.step import AnyStep, Job, Session, Task
from dovetail.driver.steps.clang import SourceStep
from dovetail.driver.steps.device_compile import DeviceSource
from dovetail.driver.steps.host_compile import HostSource
from dovetail.frontend import host_check_command


class SyntaxCheck(SourceStep[None]):
    """Check a source; the outcome is its messages."""

    __slots__ = ()

    def run(self, task: Task) -> None:
        self.run_clang(task)

    def serialize(self, task: Task, result: None) -> bytes:
        return b""

    def deserialize(self, content: bytes, session: Callable[[], Session]) -> None:
        return None


class DeviceSyntaxCheck(SyntaxCheck, DeviceSource[None]):
    """Check a source for devices."""

    __slots__ = ()
    title = "syntax"

    def job(self, place: Path, jobs: Mapping[AnyStep, Job]) -> Job:
        facts = place.with_suffix(".facts.json")
        return Job(self, self.check_command(facts), (facts,))


class HostSyntaxCheck(SyntaxCheck, HostSource[None]):
    """Check a source for the host."""

    __slots__ = ()
    title = "host syntax"

    def job(self, place: Path, jobs: Mapping[AnyStep, Job]) -> Job:
        command = host_check_command(self.source, self.flags, header=self.header_path)
        return Job(self, command)

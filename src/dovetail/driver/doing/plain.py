"""Steps that only put together what others made, and the plain forms of what is kept.

Nothing is loaded here that a build needs whose steps are all kept already.
"""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from dovetail.driver.binding import Job
from dovetail.errors import FormatError
from dovetail.packing import packed, unpacked

if TYPE_CHECKING:
    from dovetail.driver.doing.bench import Task


class HostLibrary(NamedTuple):
    """The host's side, linked."""

    content: bytes
    taken: frozenset[str] = frozenset()
    """What the linker took, if it was asked: files, and members as `archive(member)`."""

    def to_bytes(self) -> bytes:
        names = (name.encode(errors="surrogateescape") for name in sorted(self.taken))
        return packed([self.content, *names])

    @classmethod
    def of_bytes(cls, data: bytes) -> "HostLibrary":
        parts = unpacked(data)
        if not parts:
            raise FormatError("a host library without content")
        content, *names = parts
        return cls(content, frozenset(name.decode(errors="surrogateescape") for name in names))


def freeze(task: object, made: bytes) -> bytes:
    return made


def thaw(job: Job, content: bytes, bench: object) -> bytes:
    return content


def freeze_nothing(task: object, made: None) -> bytes:
    """A step that only looks at something is known by what it said."""
    return b""


def thaw_nothing(job: Job, content: bytes, bench: object) -> None:
    return None


def freeze_library(task: object, made: HostLibrary) -> bytes:
    return made.to_bytes()


def thaw_library(job: Job, content: bytes, bench: object) -> HostLibrary:
    return HostLibrary.of_bytes(content)


def freeze_object(task: object, made: dict[Path, bytes]) -> bytes:
    return packed(made.values())


def thaw_object(job: Job, content: bytes, bench: object) -> dict[Path, bytes]:
    parts = unpacked(content)
    count = 2 if job.action.dependencies.mode else 1
    if len(parts) != count:
        raise FormatError(f"an object in {len(parts)} files instead of {count}")
    return dict(zip(object_files(job), parts, strict=False))


def object_files(job: Job) -> list[Path]:
    """Where the object goes, and its dependency file if there is one."""
    output = job.action.output
    assert output
    return [output, job.action.dependencies.path(os.fspath(output))]


def collect_files(job: Job, inputs: list[Any]) -> dict[Path, bytes]:
    """What is to be written, all of it or nothing."""
    files: dict[Path, bytes] = {}
    for made in cast(list[dict[Path, bytes] | None], inputs):
        files |= made or {}
    return files


def make_executable(task: "Task") -> bytes:
    """A file that starts the program: both sides of it in one."""
    from dovetail.image.executable import Executable
    from dovetail.package import package_executable

    program, library = task.inputs
    return package_executable(Executable(program, library.content))


def start(job: Job, inputs: list[Any]) -> tuple[bytes, bytes]:
    """Program and host library; whoever asked starts them, in a process that may not come back."""
    program, library = cast(tuple[bytes, HostLibrary], inputs)
    return program, library.content

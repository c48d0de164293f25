"""Steps that only put together what others made, and the plain forms of what is kept.

Nothing is loaded here that a build needs whose steps are all kept already.
"""

import os
from pathlib import Path
from typing import Any, cast

from dovetail.driver.binding import Job
from dovetail.driver.forms import HostLibrary
from dovetail.errors import FormatError
from dovetail.packing import packed, unpacked


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


def start(job: Job, inputs: list[Any]) -> tuple[bytes, bytes]:
    """Program and host library; whoever asked starts them, in a process that may not come back."""
    program, library = cast(tuple[bytes, HostLibrary], inputs)
    return program, library.content

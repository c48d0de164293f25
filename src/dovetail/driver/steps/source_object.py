"""What steps that make an object file of a source have in common."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from dovetail.driver.step import Session, Step, Task
from dovetail.driver.steps.clang import has_known_reads
from dovetail.driver.steps.host_compile import HostCompile
from dovetail.errors import FormatError
from dovetail.frontend import Dependencies
from dovetail.packing import packed, unpacked


class SourceObject(Step[dict[Path, bytes]]):
    """A step whose result is an object and, if requested, its dependency file."""

    __slots__ = ()
    makes = "object"
    runs_command = True
    can_be_restored = True

    host: HostCompile
    output: Path
    dependencies: Dependencies

    def subject(self) -> str:
        return self.host.subject()

    def is_cacheable(self) -> bool:
        return has_known_reads(self.host.source)

    def named(self, contents: Sequence[bytes]) -> dict[Path, bytes]:
        """Return the contents of the object and of its dependency file, if any, by path."""
        files = [self.output, self.dependencies.path(os.fspath(self.output))]
        return dict(zip(files, contents, strict=False))

    def serialize(self, task: Task, result: dict[Path, bytes]) -> bytes:
        return packed(result.values())

    def deserialize(self, content: bytes, session: Callable[[], Session]) -> dict[Path, bytes]:
        parts = unpacked(content)
        count = 2 if self.dependencies.mode else 1
        if len(parts) != count:
            raise FormatError(f"expected an object in {count} files, got {len(parts)}")
        return self.named(parts)

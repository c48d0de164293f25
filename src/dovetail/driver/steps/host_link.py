"""The steps that link the host side of a program or library."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from dovetail.driver.cacheable_options import can_cache_linking
from dovetail.driver.step import AnyStep, Job, SavedResults, Session, Step, Task
from dovetail.driver.steps.host_compile import HostCompile
from dovetail.errors import FormatError
from dovetail.frontend import PrecompiledHeader, Source, host_link_command
from dovetail.packing import packed, unpacked

if TYPE_CHECKING:
    from dovetail.driver.steps.precompiled_header import HeaderBodies

_KINDS_OF_LINKED = {".a": "archive", ".so": "library"}


class HostLibrary(NamedTuple):
    """The linked host side."""

    content: bytes
    taken: frozenset[str] = frozenset()
    """The linked files and archive members, as `archive(member)`; empty if not traced."""

    def to_bytes(self) -> bytes:
        names = (name.encode(errors="surrogateescape") for name in sorted(self.taken))
        return packed([self.content, *names])

    @classmethod
    def of_bytes(cls, data: bytes) -> "HostLibrary":
        parts = unpacked(data)
        if not parts:
            raise FormatError("the host library has no content")
        content, *names = parts
        return cls(content, frozenset(name.decode(errors="surrogateescape") for name in names))


class HostLinkFields(NamedTuple):
    """The inputs of the linker, and its options."""

    objects: tuple[HostCompile, ...]
    bodies: "tuple[HeaderBodies, ...]"
    """The header bodies that are not cached."""
    headers: tuple[PrecompiledHeader, ...]
    """All headers whose bodies are linked."""
    line: tuple[Source | str, ...] = ()
    """The linker's arguments in order; a source represents its object. Empty for `objects` only."""
    embedded: Step[None] | None = None
    """The step that embeds a library's device code in an object."""
    for_others: bool = False
    """Whether programs that load it may define functions that it lacks."""
    is_traced: bool = False
    """Whether to record which members of archives are linked."""


class HostLink(Step[HostLibrary], HostLinkFields):
    """Link the host side, and record which archive members it uses."""

    __slots__ = ()
    title = "host linking"
    makes = "shared object"
    side = "host"
    runs_command = True
    needs_reads = True
    can_be_restored = True
    not_in_key = ("line",)

    def inputs(self) -> tuple[AnyStep, ...]:
        embedded = (self.embedded,) if self.embedded else ()
        return (*embedded, *self.objects, *self.bodies)

    def input_files(self) -> Iterator[tuple[str, str]]:
        for word in self.line:
            if isinstance(word, str) and not word.startswith("-") and Path(word).is_file():
                yield word, kind_of_linked(word)

    def is_cacheable(self) -> bool:
        return can_cache_linking(word for word in self.line if isinstance(word, str))

    def named_files(self, identities: Mapping[AnyStep, str]) -> dict[Path, str]:
        return {header.bodies_path: header.bodies_digest for header in self._cached_headers()}

    def _cached_headers(self) -> list[PrecompiledHeader]:
        return [header for header in self.headers if header.current]

    def job(self, place: Path, jobs: Mapping[AnyStep, Job]) -> Job:
        def first(steps: Iterable[AnyStep]) -> list[Path]:
            return [jobs[step].outputs[0] for step in steps]

        compiled = first(self.objects)
        # First, because its initializer registers the library's device code with the runtime.
        line = list(map(os.fspath, first([self.embedded] if self.embedded else [])))
        if self.line:
            objects = iter(compiled)
            for word in self.line:
                line.append(os.fspath(next(objects)) if isinstance(word, Source) else word)
        else:
            line += map(os.fspath, compiled)
        outputs = (place.with_suffix(".so"), place.with_suffix(".d"))
        command = host_link_command(
            line,
            outputs[0],
            dependencies=outputs[1],
            bodies=[*first(self.bodies), *(each.bodies_path for each in self._cached_headers())],
            for_others=self.for_others,
            traced=self.is_traced,
        )
        return Job(self, command, outputs)

    def run(self, task: Task) -> HostLibrary:
        from dovetail.driver.tracing import reads_of_linker

        session = task.session
        library, dependencies = task.job.outputs
        linked = session.tools.run(task.job.command, outputs=task.job.outputs)
        task.messages = linked.messages
        if session.trace:
            bodies = [header.bodies_path for header in self.headers]
            task.reads = reads_of_linker(session, task.job, dependencies, bodies)
        ours = f"{session.folder}/"
        names = linked.output.decode(errors="surrogateescape").split("\n")
        taken = frozenset(name for name in names if not name.startswith(ours))
        return HostLibrary(library.read_bytes(), taken)

    def serialize(self, task: Task, result: HostLibrary) -> bytes:
        return result.to_bytes()

    def deserialize(self, content: bytes, session: Callable[[], Session]) -> HostLibrary:
        return HostLibrary.of_bytes(content)

    def save(self, files: SavedResults, job: Job, result: HostLibrary) -> None:
        files.copy(job.outputs[0], f"{files.program}.host.so")


class ArchiveMembers(HostLink):
    """Link a library without its device code, to determine which archive members it uses.

    The device code of these members becomes part of the library.
    """

    __slots__ = ()
    title = "archive members"
    makes = "list of members"

    def save(self, files: SavedResults, job: Job, result: HostLibrary) -> None:
        files.copy(job.outputs[0], f"{files.program}.resolved.so")


def kind_of_linked(name: str) -> str:
    """Return the kind of a linker input, by its name."""
    return _KINDS_OF_LINKED.get(Path(name).suffix, "object")

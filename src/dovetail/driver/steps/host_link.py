"""The steps that link the host side of a program or library."""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from dovetail.driver.cacheable_options import can_cache_linking
from dovetail.driver.step import AnyStep, Job, SavedResults, Session, Step, Task
from dovetail.driver.steps.host_compile import HostCompile
from dovetail.errors import CompileError, FormatError
from dovetail.frontend import HostForm, PrecompiledHeader, Source, host_link_command
from dovetail.packing import packed, unpacked

if TYPE_CHECKING:
    from dovetail.driver.steps.precompiled_header import HeaderBodies
    from dovetail.processes.process import Finished

_NO_MAIN = re.compile(r"undefined (symbol|reference to).*\bmain\b")
_KINDS_OF_LINKED = {".a": "archive", ".so": "library"}


class LinkedHost(NamedTuple):
    """The linked host side."""

    content: bytes
    taken: frozenset[str] = frozenset()
    """The linked files and archive members, as `archive(member)`; empty if not traced."""

    def to_bytes(self) -> bytes:
        names = (name.encode(errors="surrogateescape") for name in sorted(self.taken))
        return packed([self.content, *names])

    @classmethod
    def of_bytes(cls, data: bytes) -> "LinkedHost":
        parts = unpacked(data)
        if not parts:
            raise FormatError("the linked host side has no content")
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
    """The step that embeds the device code in an object, unless the host side is loaded."""
    form: HostForm = HostForm.LOADED
    is_traced: bool = False
    """Whether to record which members of archives are linked."""


class HostLink(Step[LinkedHost], HostLinkFields):
    """Link the host side, and record which archive members it uses."""

    __slots__ = ()
    title = "host linking"
    side = "host"
    runs_command = True
    needs_reads = True
    can_be_restored = True
    not_in_key = ("line",)

    def result_kind(self) -> str:
        return "program" if self.form is HostForm.PROGRAM else "shared object"

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
        # First, because its initializer registers the device code with the runtime.
        line = list(map(os.fspath, first([self.embedded] if self.embedded else [])))
        if self.line:
            objects = iter(compiled)
            for word in self.line:
                line.append(os.fspath(next(objects)) if isinstance(word, Source) else word)
        else:
            line += map(os.fspath, compiled)
        suffix = ".out" if self.form is HostForm.PROGRAM else ".so"
        outputs = (place.with_suffix(suffix), place.with_suffix(".d"))
        command = host_link_command(
            line,
            outputs[0],
            dependencies=outputs[1],
            bodies=[*first(self.bodies), *(each.bodies_path for each in self._cached_headers())],
            form=self.form,
            traced=self.is_traced,
        )
        return Job(self, command, outputs)

    def run(self, task: Task) -> LinkedHost:
        from dovetail.driver.tracing import reads_of_linker

        session = task.session
        library, dependencies = task.job.outputs
        linked = self._link(task)
        task.messages = linked.messages
        if session.trace:
            bodies = [header.bodies_path for header in self.headers]
            task.reads = reads_of_linker(session, task.job, dependencies, bodies)
        ours = f"{session.folder}/"
        names = linked.output.decode(errors="surrogateescape").split("\n")
        taken = frozenset(name for name in names if not name.startswith(ours))
        return LinkedHost(library.read_bytes(), taken)

    def _link(self, task: Task) -> "Finished":
        try:
            return task.session.tools.run(task.job.command, outputs=task.job.outputs)
        except CompileError as error:
            if self.form is HostForm.PROGRAM and _NO_MAIN.search(error.message):
                error.hint = (
                    "a program needs `int main()` or `int main(int, char **)`, outside of"
                    " namespaces; -fsyclbin builds kernels without one"
                )
            raise

    def serialize(self, task: Task, result: LinkedHost) -> bytes:
        return result.to_bytes()

    def deserialize(self, content: bytes, session: Callable[[], Session]) -> LinkedHost:
        return LinkedHost.of_bytes(content)

    def save(self, files: SavedResults, job: Job, result: LinkedHost) -> None:
        suffix = "" if self.form is HostForm.PROGRAM else ".so"
        files.copy(job.outputs[0], f"{files.program}.host{suffix}")


class ArchiveMembers(HostLink):
    """Link without the device code, to determine which archive members are used.

    The device code of these members becomes part of the result.
    """

    __slots__ = ()
    title = "archive members"

    def result_kind(self) -> str:
        return "list of members"

    def save(self, files: SavedResults, job: Job, result: LinkedHost) -> None:
        files.copy(job.outputs[0], f"{files.program}.resolved.so")


def kind_of_linked(name: str) -> str:
    """Return the kind of a linker input, by its name."""
    return _KINDS_OF_LINKED.get(Path(name).suffix, "object")

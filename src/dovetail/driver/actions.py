"""What has to be done for a request, as a graph of actions."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from dovetail.frontend import DeviceFlags, PrecompiledHeader, Source, includes_sycl_first


class Phase(StrEnum):
    """The kinds of action, in the order in which data passes through them."""

    PRECOMPILE = "precompile header"
    COMPILE = "front-end"
    PASSES = "passes"
    POST_LINK = "post-link"
    GENERATE = "code generation"
    PACKAGE = "packaging"


@dataclass(frozen=True)
class BuildRequest:
    """A program to be built from sources."""

    sources: tuple[Source, ...]
    flags: DeviceFlags = field(default_factory=DeviceFlags)
    output: Path | None = None
    """Where the program goes; None if it is only wanted in memory."""


@dataclass(frozen=True)
class Action:
    """One thing to do, and what must be done before."""

    phase: Phase
    inputs: tuple["Action", ...] = ()
    source: Source | None = None
    """What a front-end action compiles."""
    header: Path | None = None
    """The precompiled header that a front-end action takes."""

    def in_order(self) -> Iterator["Action"]:
        """This action after everything that it needs, each once."""
        done: set[int] = set()
        yield from self._unfinished(done)

    def _unfinished(self, done: set[int]) -> Iterator["Action"]:
        if id(self) in done:
            return
        done.add(id(self))
        for needed in self.inputs:
            yield from needed._unfinished(done)
        yield self


def plan(request: BuildRequest, header: PrecompiledHeader) -> Action:
    """The graph for a request, with the precompiled header where a source can take it."""
    make_header = () if header.current else (Action(Phase.PRECOMPILE),)
    sources = [_compile(source, header, make_header) for source in request.sources]
    linked = Action(Phase.POST_LINK, tuple(sources))
    return Action(Phase.PACKAGE, (Action(Phase.GENERATE, (linked,)),))


def _compile(source: Source, header: PrecompiledHeader, make_header: tuple[Action, ...]) -> Action:
    if includes_sycl_first(source.text):
        compiled = Action(Phase.COMPILE, make_header, source, header.path)
    else:
        compiled = Action(Phase.COMPILE, (), source)
    return Action(Phase.PASSES, (compiled,), source)

"""What has to be done for a request, as a graph of actions."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from dovetail.frontend import DeviceFlags, PrecompiledHeader, Source, includes_sycl_first
from dovetail.passes import device_pipeline


class Phase(StrEnum):
    """The kinds of action, in the order in which data passes through them."""

    PRECOMPILE = "precompile header"
    COMPILE = "front-end"
    READ = "read IR"
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
class PassRequest:
    """Passes to be run over a file of IR."""

    input: str
    """`-` for standard input."""
    pipeline: str
    facts: str | None = None
    """The file of the front-end's facts about the module."""


Request = BuildRequest | PassRequest


@dataclass(frozen=True)
class Action:
    """One thing to do, and what must be done before."""

    phase: Phase
    inputs: tuple["Action", ...] = ()
    source: Source | None = None
    """What the front-end compiles."""
    header: PrecompiledHeader | None = None
    """The precompiled header that is made, or that the front-end takes."""
    pipeline: str = ""
    """The passes to run."""

    def in_order(self) -> Iterator["Action"]:
        """This action after everything that it needs, each once."""
        yield from self._unfinished(set())

    def _unfinished(self, done: set[int]) -> Iterator["Action"]:
        if id(self) in done:
            return
        done.add(id(self))
        for needed in self.inputs:
            yield from needed._unfinished(done)
        yield self


def plan_build(request: BuildRequest, header: PrecompiledHeader) -> Action:
    """The graph for a program, with the precompiled header where a source can take it."""
    make_header = () if header.current else (Action(Phase.PRECOMPILE, header=header),)
    pipeline = ",".join(device_pipeline(request.flags.optimization))
    modules: list[Action] = []
    for source in request.sources:
        if includes_sycl_first(source.text):
            compiled = Action(Phase.COMPILE, make_header, source, header)
        else:
            compiled = Action(Phase.COMPILE, (), source)
        modules.append(Action(Phase.PASSES, (compiled,), source, pipeline=pipeline))
    linked = Action(Phase.POST_LINK, tuple(modules))
    return Action(Phase.PACKAGE, (Action(Phase.GENERATE, (linked,)),))


def plan_passes(request: PassRequest) -> Action:
    """The graph for running passes over one file."""
    return Action(Phase.PASSES, (Action(Phase.READ),), pipeline=request.pipeline)

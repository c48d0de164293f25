"""What has to be done for a request, as a graph of actions."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path

from dovetail.frontend import Flags, PrecompiledHeader, Side, Source, can_take_header
from dovetail.passes import device_pipeline
from dovetail.postlink import SplitMode


class Phase(StrEnum):
    """The kinds of action, in the order in which data passes through them."""

    PRECOMPILE = "precompile header"
    BODIES = "compile header's bodies"
    COMPILE = "front-end"
    COMPILE_HOST = "host compilation"
    LINK_HOST = "host linking"
    READ = "read IR"
    CHECK = "check"
    ANALYZE = "analysis"
    PASSES = "passes"
    POST_LINK = "post-link"
    GENERATE = "code generation"
    PACKAGE = "packaging"
    EMBED = "embedding"
    EXECUTABLE = "executable"
    START = "start"


@dataclass(frozen=True)
class BuildRequest:
    """A program to be built from sources."""

    sources: tuple[Source, ...]
    flags: Flags = field(default_factory=Flags)
    output: Path | None = None
    """Where the program goes; None if it is only wanted in memory."""
    split: SplitMode = SplitMode.AUTO
    """How kernels are grouped into images."""


@dataclass(frozen=True)
class RunRequest:
    """A program to be built, host side and device side, and started now or from a file."""

    sources: tuple[Source, ...]
    flags: Flags = field(default_factory=Flags)
    arguments: tuple[str, ...] = ()
    """What the program's main gets, behind its name, if it is started now."""
    split: SplitMode = SplitMode.AUTO
    output: Path | None = None
    """Where the file goes; None if the program is started now."""
    shared: bool = False
    """Whether the file is a shared library, for programs to load."""


@dataclass(frozen=True)
class PassRequest:
    """Passes to be run over a file of IR."""

    input: str
    """`-` for standard input."""
    pipeline: str
    facts: str | None = None
    """The file of the front-end's facts about the module."""


@dataclass(frozen=True)
class CheckRequest:
    """Sources to be looked at, without code being made of them."""

    sources: tuple[Source, ...]
    flags: Flags = field(default_factory=Flags)


CompileRequest = BuildRequest | RunRequest | CheckRequest
"""Whatever starts with clang."""

Request = CompileRequest | PassRequest

Headers = dict[Side, PrecompiledHeader]
"""The precompiled header of each side, if it can have one."""


@dataclass(frozen=True, eq=False)
class Action:
    """One thing to do, and what must be done before. An action equals itself alone."""

    phase: Phase
    inputs: tuple["Action", ...] = ()
    source: Source | None = None
    """What clang compiles."""
    header: PrecompiledHeader | None = None
    """The precompiled header that is made, or that clang or the linker takes."""
    pipeline: str = ""
    """The passes to run."""
    warnings: tuple[str, ...] = ()
    """The `-W` words that the analysis of device code goes by."""
    split: SplitMode = SplitMode.AUTO
    for_others: bool = False
    """Whether what is linked may leave functions to the programs that load it."""

    def in_order(self) -> Iterator["Action"]:
        """This action after everything that it needs, each once."""
        yield from self._unfinished(set())

    def _unfinished(self, done: set["Action"]) -> Iterator["Action"]:
        if self in done:
            return
        done.add(self)
        for needed in self.inputs:
            yield from needed._unfinished(done)
        yield self


def plan_build(request: BuildRequest | RunRequest, headers: Headers) -> Action:
    """The graph for a device program, with the precompiled header where a source can take it."""
    flags = request.flags
    pipeline = ",".join(device_pipeline(flags.optimization, flags.aspects))
    modules = [
        Action(Phase.PASSES, (compiled,), compiled.source, pipeline=pipeline)
        for compiled in _compilations(request, Phase.COMPILE, headers.get(Side.DEVICE))
    ]
    linked = Action(Phase.POST_LINK, tuple(modules), warnings=flags.warnings, split=request.split)
    return Action(Phase.PACKAGE, (Action(Phase.GENERATE, (linked,)),))


def plan_run(request: RunRequest, headers: Headers) -> Action:
    """The graph for a program with its host side, up to its start or its file."""
    program, library = plan_build(request, headers), _plan_host(request, headers)
    if request.shared:
        embedded = Action(Phase.EMBED, (program,))
        return replace(library, inputs=(embedded, *library.inputs), for_others=True)
    last = Phase.START if request.output is None else Phase.EXECUTABLE
    return Action(last, (program, library))


def _plan_host(request: RunRequest, headers: Headers) -> Action:
    header = headers.get(Side.HOST)
    objects = tuple(_compilations(request, Phase.COMPILE_HOST, header))
    if header is None or not any(compiled.header for compiled in objects):
        return Action(Phase.LINK_HOST, objects)
    # The first source that took the header knows the action that makes it.
    making = next(compiled.inputs for compiled in objects if compiled.header)
    bodies = () if header.current else (Action(Phase.BODIES, making, header=header),)
    return Action(Phase.LINK_HOST, (*objects, *bodies), header=header)


def plan_check(request: CheckRequest, headers: Headers) -> Action:
    """The graph for looking at sources: each on its own, then all of them together."""
    return Action(
        Phase.ANALYZE, tuple(_compilations(request, Phase.CHECK, headers.get(Side.DEVICE)))
    )


def plan_passes(request: PassRequest) -> Action:
    """The graph for running passes over one file."""
    return Action(Phase.PASSES, (Action(Phase.READ),), pipeline=request.pipeline)


def _compilations(
    request: CompileRequest, phase: Phase, header: PrecompiledHeader | None
) -> Iterator[Action]:
    is_made = header is None or header.current
    make_header = () if is_made else (Action(Phase.PRECOMPILE, header=header),)
    for source in request.sources:
        if header is not None and can_take_header(source, request.flags):
            action = Action(phase, make_header, source, header)
        else:
            action = Action(phase, (), source)
        yield replace(action, warnings=request.flags.warnings)

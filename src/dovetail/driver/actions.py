"""What has to be done for a request, as a graph of actions."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from dovetail.codegen import BuildTarget, check_targets
from dovetail.driver.choice import NOTHING_TOLD
from dovetail.driver.inputs import LinkedObject, LinkLine, unique_prefix
from dovetail.driver.units import Unit, features_of, resolved_target, units_of
from dovetail.errors import UsageError
from dovetail.frontend import (
    Dependencies,
    Flags,
    PrecompiledHeader,
    Source,
    can_take_header,
)
from dovetail.passes import device_pipeline
from dovetail.postlink import OptionalFeatures, SplitMode
from dovetail.targets import Table, Target, default_table
from dovetail.targets.ir_family import IRFamily


class Phase(StrEnum):
    """The kinds of action, in the order in which data passes through them."""

    PRECOMPILE = "precompile header"
    BODIES = "compile header's bodies"
    COMPILE = "front-end"
    COMPILE_HOST = "host compilation"
    SYNTAX = "syntax"
    SYNTAX_HOST = "host syntax"
    OBJECT = "object"
    FILES = "files"
    LINK_HOST = "host linking"
    RESOLVE = "archive members"
    GATHER = "device code of objects"
    READ = "read IR"
    CHECK = "check"
    ANALYZE = "analysis"
    PASSES = "passes"
    APART = "calls between sources"
    POST_LINK = "post-link"
    FILTER = "aspect filter"
    GENERATE = "code generation"
    PACKAGE = "packaging"
    EMBED = "embedding"
    EXECUTABLE = "executable"
    START = "start"


class BuildRequest(NamedTuple):
    """A program to be built from sources."""

    sources: tuple[Source, ...]
    flags: Flags = Flags()
    output: Path | None = None
    """Where the program goes; None if it is only wanted in memory."""
    split: SplitMode = SplitMode.AUTO
    """How kernels are grouped into images."""
    features: OptionalFeatures = OptionalFeatures.SPLIT
    """How kernels that not every device can run are kept from the others."""
    line: LinkLine = LinkLine()
    """What else is linked."""
    rdc: bool = True
    """Whether device code of different sources is linked; else each source's stands by itself."""
    target_options: Mapping[str, tuple[str, ...]] = NOTHING_TOLD
    """What the compilers of some targets are told, by the target's name."""
    keep_going: bool = False
    """Whether there is to be a program although compilers refuse some of its code."""


class ObjectRequest(NamedTuple):
    """Sources to be compiled, each into an object file that carries its device code."""

    sources: tuple[Source, ...]
    outputs: tuple[Path, ...] = ()
    """Of each source, in their order; none if they are only to be checked."""
    flags: Flags = Flags()
    dependencies: Dependencies = Dependencies()


class RunRequest(NamedTuple):
    """A program to be built, host side and device side, and started now or from a file."""

    sources: tuple[Source, ...]
    flags: Flags = Flags()
    arguments: tuple[str, ...] = ()
    """What the program's main gets, behind its name, if it is started now."""
    split: SplitMode = SplitMode.AUTO
    features: OptionalFeatures = OptionalFeatures.SPLIT
    output: Path | None = None
    """Where the file goes; None if the program is started now."""
    shared: bool = False
    """Whether the file is a shared library, for programs to load."""
    line: LinkLine = LinkLine()
    """What else is linked."""
    dependencies: Dependencies = Dependencies()
    rdc: bool = True
    """Whether device code of different sources is linked; else each source's stands by itself."""
    target_options: Mapping[str, tuple[str, ...]] = NOTHING_TOLD
    """What the compilers of some targets are told, by the target's name."""
    keep_going: bool = False
    """Whether there is to be a program although compilers refuse some of its code."""


class PassRequest(NamedTuple):
    """Passes to be run over a file of IR."""

    input: str
    """`-` for standard input."""
    pipeline: str
    facts: str | None = None
    """The file of the front-end's facts about the module."""


class CheckRequest(NamedTuple):
    """Sources to be looked at, without code being made of them."""

    sources: tuple[Source, ...]
    flags: Flags = Flags()


CompileRequest = BuildRequest | RunRequest | CheckRequest | ObjectRequest
"""Whatever starts with clang."""

Request = CompileRequest | PassRequest


class Headers(NamedTuple):
    """The precompiled header of each side, and of each family of device code, that can be had."""

    host: PrecompiledHeader | None = None
    device: Mapping[IRFamily, PrecompiledHeader] = MappingProxyType({})


class Action(NamedTuple):
    """One thing to do, and what must be done before. An action equals itself alone."""

    phase: Phase
    inputs: tuple["Action", ...] = ()
    source: Source | None = None
    """What clang compiles."""
    header: PrecompiledHeader | None = None
    """The precompiled header that is made, or that clang takes."""
    family: IRFamily = IRFamily.SPIRV64
    """Of the device code that this is about."""
    bodies: tuple[PrecompiledHeader, ...] = ()
    """Those whose bodies are linked."""
    output: Path | None = None
    """Which of the request's outputs this is for."""
    dependencies: Dependencies = Dependencies()
    objects: tuple[LinkedObject, ...] = ()
    """Whose device code is looked at."""
    pipeline: str = ""
    """The passes to run."""
    warnings: tuple[str, ...] = ()
    """The `-W` words that the analysis of device code goes by."""
    split: SplitMode = SplitMode.AUTO
    features: OptionalFeatures = OptionalFeatures.SPLIT
    decided_early: bool = False
    """Whether conditions were decided before code was optimised."""
    for_others: bool = False
    """Whether what is linked may leave functions to the programs that load it."""
    targets: tuple[Target, ...] = ()
    """What device code is linked for; what it is compiled for, if that is one target alone."""
    by_headers: bool = False
    """Whether the preprocessor has decided what is for which device."""
    target: BuildTarget | None = None
    """Whose images are chosen."""
    fixed_targets: tuple[Target, ...] = ()
    """What the program is meant to run on, if nothing else."""
    configured_targets: tuple[Target, ...] = ()
    """What the user's files speak of, whether it is built for or not."""
    unique_prefix: str = ""
    """What makes names in a source's device code unique."""
    keep_going: bool = False
    """Whether to make do with what compilers do not refuse."""
    needs_kernels: bool = False
    """Whether a program without kernels is of no use."""

    @property
    def table(self) -> Table:
        """What is known of targets, with what the user's files say."""
        return default_table().with_targets((*self.configured_targets, *self.targets))

    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other

    def __hash__(self) -> int:
        return id(self)

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


def plan_build(
    request: BuildRequest | RunRequest, headers: Headers, resolved: Action | None = None
) -> Action:
    """The graph for a device program, with the precompiled header where a source can take it.

    `resolved` is the action that knows which members of archives the host's linker takes.
    """
    # Before anything is compiled.
    check_targets(_build_targets(request, request.flags.targets))
    code: list[Action] = []
    units = units_of(request.flags)
    for unit, modules in zip(units, _device_modules(request, headers, units), strict=True):
        gather = Action(Phase.GATHER, family=unit.family, targets=unit.targets)
        for group in _groups(request, modules, resolved, gather):
            code.append(_plan_code(request, group, unit))
    return Action(Phase.PACKAGE, tuple(code), needs_kernels=isinstance(request, BuildRequest))


def _build_targets(
    request: BuildRequest | RunRequest, targets: Iterable[Target]
) -> list[BuildTarget]:
    return [BuildTarget(each, request.target_options.get(each.name, ())) for each in targets]


def _groups(
    request: BuildRequest | RunRequest,
    modules: Sequence[Action],
    resolved: Action | None,
    gather: Action,
) -> Iterator[Sequence[Action]]:
    """What is linked with each other: sources' modules, and what `gather` finds in objects."""
    objects = request.line.objects
    members = (resolved,) if resolved else ()
    if request.rdc:
        gathered = gather._replace(inputs=(*modules, *members), objects=objects)
        yield [*modules, gathered] if objects else modules
        return
    apart = list(modules)
    for each in objects:
        apart.append(gather._replace(inputs=members if each.archive else (), objects=(each,)))
    checked = Action(Phase.APART, tuple(apart), family=gather.family)
    yield from ([each, checked] for each in apart)


def _plan_code(
    request: BuildRequest | RunRequest,
    modules: Sequence[Action],
    unit: Unit,
) -> Action:
    """The graph from modules that are linked with each other to their code, for every target."""
    flags = request.flags
    linked = Action(
        Phase.POST_LINK,
        tuple(modules),
        family=unit.family,
        warnings=flags.warnings,
        split=request.split,
        features=features_of(request.features, unit),
        decided_early=bool(resolved_target(flags, unit)),
        targets=unit.targets,
        by_headers=flags.device_if == "macros",
        fixed_targets=flags.fixed_targets,
        configured_targets=flags.configured_targets,
    )
    filtered = (
        Action(
            Phase.FILTER,
            (linked,),
            family=unit.family,
            targets=unit.targets,
            target=each,
            configured_targets=flags.configured_targets,
        )
        for each in _build_targets(request, unit.targets)
    )
    return Action(
        Phase.GENERATE,
        (linked, *filtered),
        family=unit.family,
        fixed_targets=flags.fixed_targets,
        keep_going=request.keep_going,
    )


def _device_modules(
    request: BuildRequest | RunRequest | ObjectRequest, headers: Headers, units: Sequence[Unit]
) -> list[list[Action]]:
    """For each unit the modules of all sources."""
    flags = request.flags
    compiled = _device_compilations(request, Phase.COMPILE, headers, units)
    modules: list[list[Action]] = []
    for unit, compilations in zip(units, compiled, strict=True):
        resolve = resolved_target(flags, unit)
        pipeline = ",".join(device_pipeline(flags.optimization, flags.aspects, resolve))
        modules.append(
            [
                Action(
                    Phase.PASSES,
                    (compilation,),
                    compilation.source,
                    family=unit.family,
                    pipeline=pipeline,
                    targets=unit.own_targets,
                    configured_targets=flags.configured_targets,
                    unique_prefix=compilation.unique_prefix,
                )
                for compilation in compilations
            ]
        )
    return modules


def plan_run(request: RunRequest, headers: Headers) -> Action:
    """The graph for a program with its host side, up to its start or its file."""
    library = _plan_host(request, headers)
    has_archives = any(linked.archive for linked in request.line.objects)
    if request.shared:
        # The library's device code is linked into it, so what that is has to be known before.
        resolved = library._replace(phase=Phase.RESOLVE, for_others=True) if has_archives else None
        program = plan_build(request, headers, resolved)
        embedded = Action(Phase.EMBED, (program,))
        return library._replace(inputs=(embedded, *library.inputs), for_others=True)
    program = plan_build(request, headers, library if has_archives else None)
    last = Phase.START if request.output is None else Phase.EXECUTABLE
    return Action(last, (program, library))


def _plan_host(request: RunRequest, headers: Headers) -> Action:
    objects = tuple(_compilations(request, Phase.COMPILE_HOST, headers.host))
    wanted = {needed.path: needed for needed in request.line.headers}
    wanted |= {action.header.path: action.header for action in objects if action.header}
    bodies = tuple(_bodies(wanted.values(), objects))
    traced = tuple(linked for linked in request.line.objects if linked.archive)
    return Action(
        Phase.LINK_HOST, (*objects, *bodies), bodies=tuple(wanted.values()), objects=traced
    )


def _bodies(wanted: Iterable[PrecompiledHeader], objects: Sequence[Action]) -> Iterator[Action]:
    """Compile the bodies of those headers that are not there, once each is made."""
    making = {
        needed.header.path: needed
        for compiled in objects
        for needed in compiled.inputs
        if needed.header
    }
    for header in wanted:
        if not header.current:
            made = making.get(header.path) or Action(Phase.PRECOMPILE, header=header)
            yield Action(Phase.BODIES, (made,), header=header)


def plan_objects(request: ObjectRequest, headers: Headers) -> Action:
    """The graph for object files, or for looking at sources without writing any."""
    units = units_of(request.flags)
    if not request.outputs:
        compiled = _device_compilations(request, Phase.SYNTAX, headers, units)
        checked = [action for of_unit in compiled for action in of_unit]
        checked += _compilations(request, Phase.SYNTAX_HOST, headers.host)
        return Action(Phase.FILES, tuple(checked))
    outputs = dict(zip(request.sources, request.outputs, strict=True))
    modules = [made for of_unit in _device_modules(request, headers, units) for made in of_unit]
    compilations = tuple(_compilations(request, Phase.COMPILE_HOST, headers.host))
    objects: list[Action] = []
    for compiled in compilations:
        assert compiled.source
        output = outputs[compiled.source]
        compiled = compiled._replace(output=output)
        bodies = (compiled.header,) if compiled.header else ()
        own = [made for made in modules if made.source == compiled.source]
        # Which headers a source reads for devices is in a file that its compilation leaves.
        listing = [made.inputs[0] for made in own if request.dependencies.mode]
        inputs = (compiled, *own, *listing)
        objects.append(
            Action(
                Phase.OBJECT,
                inputs,
                compiled.source,
                output=output,
                bodies=bodies,
                dependencies=request.dependencies,
                targets=request.flags.targets,
            )
        )
    # A header is complete with its bodies, which whoever links the objects needs.
    taken = {action.header.path: action.header for action in compilations if action.header}
    return Action(Phase.FILES, (*objects, *_bodies(taken.values(), compilations)))


def plan_check(request: CheckRequest, headers: Headers) -> Action:
    """The graph for looking at sources: each on its own, then all of them together.

    All families see the same functions and uses, but for what a source asks the preprocessor, so
    one unit is enough: that of the first target.
    """
    first = units_of(request.flags)[:1]
    (checked,) = _device_compilations(request, Phase.CHECK, headers, first)
    return Action(Phase.ANALYZE, tuple(checked))


def plan_passes(request: PassRequest) -> Action:
    """The graph for running passes over one file."""
    return Action(Phase.PASSES, (Action(Phase.READ),), pipeline=request.pipeline)


def _device_compilations(
    request: CompileRequest, phase: Phase, headers: Headers, units: Sequence[Unit]
) -> list[list[Action]]:
    """For each unit a run of the front-end for each source that can have device code."""
    prefix = request.flags.unique_prefix
    if prefix and sum(source.is_cxx for source in request.sources) > 1:
        raise UsageError(
            "a unique prefix is for one source, and there are several",
            hint="compile each with a prefix of its own, or leave -fsycl-unique-prefix out",
        )
    # Units of one family share the header, which is made once.
    families = {
        family: [
            action._replace(family=family, unique_prefix=prefix or unique_prefix(action.source))
            for action in _compilations(request, phase, headers.device.get(family))
            if action.source and action.source.is_cxx
        ]
        for family in dict.fromkeys(unit.family for unit in units)
    }
    return [
        [action._replace(targets=unit.own_targets) for action in families[unit.family]]
        for unit in units
    ]


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
        flags = request.flags
        yield action._replace(
            warnings=flags.warnings,
            fixed_targets=flags.fixed_targets,
            configured_targets=flags.configured_targets,
        )

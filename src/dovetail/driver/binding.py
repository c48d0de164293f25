"""From actions to jobs: which command does what, and which files it leaves."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from dovetail.codegen import generators_of
from dovetail.driver.actions import (
    Action,
    BuildRequest,
    CheckRequest,
    CompileRequest,
    ObjectRequest,
    PassRequest,
    Phase,
    Request,
    RunRequest,
)
from dovetail.driver.inputs import unique_prefix
from dovetail.frontend import (
    Source,
    bodies_command,
    check_command,
    compile_command,
    coverage_words,
    embed_command,
    host_check_command,
    host_compile_command,
    host_link_command,
    object_command,
    precompile_command,
    weaken_command,
)
from dovetail.postlink import OptionalFeatures
from dovetail.printable import shell_command
from dovetail.targets.ir_family import IRFamily

NOWHERE = Path("/dovetail")
"""For jobs that are only looked at."""

_BY_TOOLS = (
    Phase.PRECOMPILE,
    Phase.BODIES,
    Phase.COMPILE,
    Phase.CHECK,
    Phase.COMPILE_HOST,
    Phase.SYNTAX,
    Phase.SYNTAX_HOST,
    Phase.OBJECT,
    Phase.EMBED,
    Phase.LINK_HOST,
    Phase.RESOLVE,
)


class Job(NamedTuple):
    """One action with everything that is needed to do it."""

    action: Action
    command: tuple[str, ...]
    """What is started; for a step in this process, words that say what it does."""
    outputs: tuple[Path, ...] = ()
    """The files that a started command leaves."""
    inputs: tuple[Path, ...] = ()
    """The files of other jobs that the job itself reads."""
    then: tuple[str, ...] = ()
    """What is started after the command, to finish its output."""

    @property
    def in_process(self) -> bool:
        """Whether the step is done by this process rather than by a program that it starts."""
        return self.action.phase not in _BY_TOOLS

    def __str__(self) -> str:
        """As a dry run prints it: a command for the shell, or a remark."""
        words = shell_command(self.command)
        if self.in_process:
            return f"# in process: {words}"
        return f"{words} && {shell_command(self.then)}" if self.then else words


def bind(root: Action, request: Request, folder: Path) -> tuple[Job, ...]:
    """A job for each action, in an order in which they can run; their files lie in `folder`."""
    jobs: dict[Action, Job] = {}
    for number, action in enumerate(root.in_order()):
        if action.phase in _BY_TOOLS:
            assert not isinstance(request, PassRequest)
            jobs[action] = _tool_job(action, request, folder / str(number), jobs)
        else:
            jobs[action] = Job(action, _words(action, request))
    return tuple(jobs.values())


def _tool_job(
    action: Action, request: CompileRequest, place: Path, jobs: Mapping[Action, Job]
) -> Job:
    """`place` is where the job's files go, but for their suffixes."""
    match action.phase:
        case Phase.PRECOMPILE | Phase.BODIES:
            return _header_job(action, place)
        case Phase.COMPILE | Phase.CHECK | Phase.SYNTAX:
            return _device_job(action, request, place)
        case Phase.COMPILE_HOST | Phase.SYNTAX_HOST:
            return _host_job(action, request, place)
        case Phase.OBJECT:
            return _object_job(action, place, jobs)
        case Phase.EMBED:
            outputs = (place.with_suffix(".o"), place.with_suffix(".syclbin"))
            return Job(action, embed_command(place.parent, outputs[0]), outputs)
        case _:
            return _link_job(action, request, place, jobs)


def _header_job(action: Action, place: Path) -> Job:
    assert action.header
    dependencies = place.with_suffix(".d")
    if action.phase is Phase.BODIES:
        outputs = (place.with_suffix(".o"), dependencies)
        command = bodies_command(action.header, *outputs)
        return Job(action, command, outputs, then=weaken_command(outputs[0]))
    outputs = (place.with_suffix(".pch"), dependencies)
    return Job(action, precompile_command(action.header, *outputs), outputs)


def _device_job(action: Action, request: CompileRequest, place: Path) -> Job:
    source, flags = action.source, request.flags
    assert source
    header = action.header.path if action.header else None
    facts = place.with_suffix(".facts.json")
    family = action.family
    if action.phase is not Phase.COMPILE:
        command = check_command(
            source, flags, header=header, facts=facts, family=family, own_targets=action.targets
        )
        return Job(action, command, (facts,))
    outputs = (place.with_suffix(".bc"), facts)
    words: tuple[str, ...] = ()
    if isinstance(request, ObjectRequest) and request.dependencies.mode:
        outputs = (*outputs, place.with_suffix(".d"))
        words = (request.dependencies.mode, "-MF", os.fspath(outputs[2]))
    bitcode = outputs[0]
    command = compile_command(
        source,
        flags,
        header=header,
        bitcode=bitcode,
        facts=facts,
        dependencies=words,
        family=family,
        own_targets=action.targets,
    )
    return Job(action, command, outputs)


def _host_job(action: Action, request: CompileRequest, place: Path) -> Job:
    source, flags = action.source, request.flags
    assert source
    header = action.header.path if action.header else None
    if action.phase is Phase.SYNTAX_HOST:
        return Job(action, host_check_command(source, flags, header=header))
    outputs = (place.with_suffix(".o"),)
    words: tuple[str, ...] = ()
    if isinstance(request, ObjectRequest) and request.dependencies.mode:
        outputs = (*outputs, place.with_suffix(".d"))
        words = request.dependencies.words(os.fspath(action.output or ""), outputs[1])
    elif isinstance(request, RunRequest) and request.dependencies.mode:
        # Nobody reads such a file but build systems, which compile to objects.
        name = Path(source.path).with_suffix(".o").name
        words = request.dependencies.words(name, request.dependencies.path(name))
    if isinstance(request, ObjectRequest):
        words += coverage_words(flags, action.output or outputs[0])
    elif isinstance(request, RunRequest) and request.output:
        # Clang's names for sources that are compiled and linked at once.
        named = f"{request.output}-{Path(source.path).stem}.o"
        words += coverage_words(flags, Path(named))
    command = host_compile_command(
        source,
        flags,
        header=header,
        output=outputs[0],
        dependencies=words,
        unique_prefix=flags.unique_prefix or unique_prefix(source),
    )
    return Job(action, command, outputs)


def _object_job(action: Action, place: Path, jobs: Mapping[Action, Job]) -> Job:
    """Its inputs are the host's object, then the dependency files of both sides."""
    host, *others = action.inputs
    compiled, *dependencies = jobs[host].outputs
    for needed in others:
        if needed.phase is Phase.COMPILE:
            dependencies += jobs[needed].outputs[2:]
    outputs = (place.with_suffix(".o"), place.with_suffix(".offload"))
    command = object_command(outputs[1], compiled, outputs[0])
    return Job(action, command, outputs, (compiled, *dependencies))


def _link_job(
    action: Action, request: CompileRequest, place: Path, jobs: Mapping[Action, Job]
) -> Job:
    made = {needed.phase: list[Path]() for needed in action.inputs}
    for needed in action.inputs:
        made[needed.phase] += jobs[needed].outputs[:1]
    compiled = made.get(Phase.COMPILE_HOST, [])
    # What tells the runtime of a library's device code has to come first.
    line = list(map(os.fspath, made.get(Phase.EMBED, [])))
    if isinstance(request, RunRequest) and request.line.words:
        objects = iter(compiled)
        for word in request.line.words:
            line.append(os.fspath(next(objects)) if isinstance(word, Source) else word)
    else:
        line += map(os.fspath, compiled)
    kept = [header.bodies_path for header in action.bodies if header.current]
    outputs = (place.with_suffix(".so"), place.with_suffix(".d"))
    command = host_link_command(
        line,
        outputs[0],
        dependencies=outputs[1],
        bodies=[*made.get(Phase.BODIES, []), *kept],
        for_others=action.for_others,
        traced=bool(action.objects),
    )
    return Job(action, command, outputs)


def _words(action: Action, request: Request) -> tuple[str, ...]:
    """What a step in this process does."""
    match action.phase, request:
        case Phase.READ, PassRequest():
            return ("read", request.input, *([request.facts] if request.facts else []))
        case Phase.PASSES, _:
            name = [action.source.path] if action.source else []
            return ("passes", action.pipeline, *name, *_family(action))
        case Phase.POST_LINK, BuildRequest() | RunRequest():
            names = (source.path for source in request.sources if source.is_cxx)
            return ("post-link", *_manner(action), *names, *_family(action))
        case Phase.GATHER, _:
            return ("gather", *map(str, action.objects), *_family(action))
        case Phase.FILES, ObjectRequest():
            return ("files", *map(os.fspath, request.outputs))
        case Phase.ANALYZE, CheckRequest():
            return ("analyze", *(source.path for source in request.sources))
        case Phase.FILTER, _:
            assert action.target
            return ("aspect-filter", "--arch", action.target.name)
        case Phase.GENERATE, _:
            targets = [needed.target for needed in action.inputs if needed.target]
            toolchains = dict.fromkeys(each.target.toolchain for each in targets) or ("",)
            names = dict.fromkeys(g.name for each in toolchains for g in generators_of(each))
            return ("generate", ",".join(names), *(each.name for each in targets))
        case Phase.PACKAGE, BuildRequest(output=Path() as output):
            return ("package", os.fspath(output))
        case Phase.EXECUTABLE, RunRequest(output=Path() as output):
            return ("executable", os.fspath(output))
        case Phase.START, RunRequest():
            return ("start", request.sources[0].path, *request.arguments)
        case _:
            return (action.phase.value,)


def _manner(action: Action) -> tuple[str, ...]:
    """How a program is taken apart."""
    split = f"-split={action.split}"
    is_usual = action.features is OptionalFeatures.SPLIT
    return (split,) if is_usual else (split, f"-optional-features={action.features}")


def _family(action: Action) -> tuple[str, ...]:
    """Which device code a step is about, if it is not the usual one."""
    return () if action.family is IRFamily.SPIRV64 else (f"-family={action.family}",)

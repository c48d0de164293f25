"""From actions to jobs: which command does what, and which files it leaves."""

import os
import shlex
from dataclasses import dataclass
from pathlib import Path

from dovetail.driver.actions import (
    Action,
    BuildRequest,
    CheckRequest,
    CompileRequest,
    PassRequest,
    Phase,
    Request,
    RunRequest,
)
from dovetail.frontend import (
    bodies_command,
    check_command,
    compile_command,
    embed_command,
    host_compile_command,
    host_link_command,
    precompile_command,
)

_BY_CLANG = (
    Phase.PRECOMPILE,
    Phase.BODIES,
    Phase.COMPILE,
    Phase.CHECK,
    Phase.COMPILE_HOST,
    Phase.EMBED,
    Phase.LINK_HOST,
)


@dataclass(frozen=True)
class Job:
    """One action with everything that is needed to do it."""

    action: Action
    command: tuple[str, ...]
    """What is started; for a step in this process, words that say what it does."""
    outputs: tuple[Path, ...] = ()
    """The files that a started command leaves."""

    @property
    def in_process(self) -> bool:
        """Whether the step is done by this process rather than by a program that it starts."""
        return self.action.phase not in _BY_CLANG

    def __str__(self) -> str:
        """As a dry run prints it: a command for the shell, or a remark."""
        words = shlex.join(self.command)
        return f"# in process: {words}" if self.in_process else words


def bind(root: Action, request: Request, folder: Path) -> tuple[Job, ...]:
    """A job for each action, in an order in which they can run; their files lie in `folder`."""
    jobs: dict[Action, Job] = {}
    for number, action in enumerate(root.in_order()):
        if action.phase in _BY_CLANG:
            assert not isinstance(request, PassRequest)
            objects = [
                jobs[needed].outputs[0]
                for needed in action.inputs
                if needed.phase in (Phase.COMPILE_HOST, Phase.EMBED)
            ]
            jobs[action] = _clang_job(action, request, folder / str(number), objects)
        else:
            jobs[action] = Job(action, _words(action, request))
    return tuple(jobs.values())


def _clang_job(action: Action, request: CompileRequest, place: Path, inputs: list[Path]) -> Job:
    """`place` is where the job's files go, but for their suffixes."""
    flags = request.flags
    header = action.header.path if action.header else None
    match action.phase:
        case Phase.PRECOMPILE:
            assert action.header
            outputs = (place.with_suffix(".pch"), place.with_suffix(".d"))
            command = precompile_command(action.header.side, flags, *outputs)
        case Phase.BODIES:
            outputs = (place.with_suffix(".o"), place.with_suffix(".d"))
            command = bodies_command(flags, *outputs)
        case Phase.COMPILE:
            assert action.source
            outputs = (place.with_suffix(".bc"), place.with_suffix(".facts.json"))
            bitcode, facts = outputs
            command = compile_command(
                action.source, flags, header=header, bitcode=bitcode, facts=facts
            )
        case Phase.CHECK:
            assert action.source
            outputs = (place.with_suffix(".facts.json"),)
            command = check_command(action.source, flags, header=header, facts=outputs[0])
        case Phase.COMPILE_HOST:
            assert action.source
            outputs = (place.with_suffix(".o"),)
            command = host_compile_command(action.source, flags, header=header, output=outputs[0])
        case Phase.EMBED:
            outputs = (place.with_suffix(".o"), place.with_suffix(".syclbin"))
            command = embed_command(place.parent, outputs[0])
        case _:
            outputs = (place.with_suffix(".so"),)
            bodies = [action.header.bodies_path] if action.header else []
            objects = [*inputs, *bodies]
            command = host_link_command(objects, outputs[0], for_others=action.for_others)
    return Job(action, command, outputs)


def _words(action: Action, request: Request) -> tuple[str, ...]:
    """What a step in this process does."""
    match action.phase, request:
        case Phase.READ, PassRequest():
            return ("read", request.input, *([request.facts] if request.facts else []))
        case Phase.PASSES, _:
            name = [action.source.path] if action.source else []
            return ("passes", action.pipeline, *name)
        case Phase.POST_LINK, BuildRequest() | RunRequest():
            return ("post-link", f"-split={request.split}", *(s.path for s in request.sources))
        case Phase.ANALYZE, CheckRequest():
            return ("analyze", *(source.path for source in request.sources))
        case Phase.GENERATE, _:
            return ("generate", "SPIR-V")
        case Phase.PACKAGE, BuildRequest(output=Path() as output):
            return ("package", os.fspath(output))
        case Phase.EXECUTABLE, RunRequest(output=Path() as output):
            return ("executable", os.fspath(output))
        case Phase.START, RunRequest():
            return ("start", request.sources[0].path, *request.arguments)
        case _:
            return (action.phase.value,)

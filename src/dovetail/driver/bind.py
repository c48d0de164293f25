"""From actions to jobs: which command does what, and which files it leaves."""

import os
import shlex
from dataclasses import dataclass
from pathlib import Path

from dovetail.driver.actions import Action, BuildRequest, PassRequest, Phase, Request
from dovetail.frontend import compile_command, precompile_command


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
        return self.action.phase not in (Phase.PRECOMPILE, Phase.COMPILE)

    def __str__(self) -> str:
        """As a dry run prints it: a command for the shell, or a remark."""
        words = shlex.join(self.command)
        return f"# in process: {words}" if self.in_process else words


def bind(root: Action, request: Request, folder: Path) -> tuple[Job, ...]:
    """A job for each action, in an order in which they can run; their files lie in `folder`."""
    jobs: list[Job] = []
    for number, action in enumerate(root.in_order()):
        if action.phase in (Phase.PRECOMPILE, Phase.COMPILE):
            assert isinstance(request, BuildRequest)
            jobs.append(_clang_job(action, request, folder, number))
        else:
            jobs.append(Job(action, _words(action, request)))
    return tuple(jobs)


def _clang_job(action: Action, request: BuildRequest, folder: Path, number: int) -> Job:
    if action.source is None:
        header, dependencies = folder / "sycl.pch", folder / "sycl.d"
        command = precompile_command(request.flags, header, dependencies)
        return Job(action, command, (header, dependencies))
    # Numbered, since two sources may have the same name in different folders.
    stem = f"{number}-{Path(action.source.path).stem}"
    bitcode, facts = folder / f"{stem}.bc", folder / f"{stem}.facts.json"
    command = compile_command(
        action.source,
        request.flags,
        header=action.header.path if action.header else None,
        bitcode=bitcode,
        facts=facts,
    )
    return Job(action, command, (bitcode, facts))


def _words(action: Action, request: Request) -> tuple[str, ...]:
    """What a step in this process does."""
    if isinstance(request, PassRequest):
        facts = (request.facts,) if request.facts else ()
        words = (request.input, *facts)
        return ("read", *words) if action.phase is Phase.READ else ("passes", action.pipeline)
    match action.phase:
        case Phase.PASSES:
            assert action.source
            return ("passes", action.pipeline, action.source.path)
        case Phase.POST_LINK:
            return ("post-link", *(source.path for source in request.sources))
        case Phase.GENERATE:
            return ("generate", "SPIR-V")
        case _:
            return ("package", os.fspath(request.output or "in memory"))

"""From actions to jobs: which command does what, and which files it leaves."""

import os
import shlex
from dataclasses import dataclass
from pathlib import Path

from dovetail.driver.actions import Action, BuildRequest, Phase
from dovetail.frontend import compile_command, precompile_command
from dovetail.passes import device_pipeline


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


def bind(root: Action, request: BuildRequest, folder: Path) -> tuple[Job, ...]:
    """A job for each action, in an order in which they can run; their files lie in `folder`."""
    return tuple(
        _job(action, request, folder, number) for number, action in enumerate(root.in_order())
    )


def _job(action: Action, request: BuildRequest, folder: Path, number: int) -> Job:
    match action.phase:
        case Phase.PRECOMPILE:
            header, dependencies = folder / "sycl.pch", folder / "sycl.d"
            command = precompile_command(request.flags, header, dependencies)
            return Job(action, command, (header, dependencies))
        case Phase.COMPILE:
            return _compile(action, request, folder, number)
        case Phase.PASSES:
            assert action.source
            pipeline = ",".join(device_pipeline(request.flags.optimization))
            return Job(action, ("passes", pipeline, action.source.path))
        case Phase.POST_LINK:
            return Job(action, ("post-link", *(source.path for source in request.sources)))
        case Phase.GENERATE:
            return Job(action, ("generate", "SPIR-V"))
        case Phase.PACKAGE:
            return Job(action, ("package", os.fspath(request.output or "in memory")))


def _compile(action: Action, request: BuildRequest, folder: Path, number: int) -> Job:
    assert action.source
    # Numbered, since two sources may have the same name in different folders.
    stem = f"{number}-{Path(action.source.path).stem}"
    bitcode, facts = folder / f"{stem}.bc", folder / f"{stem}.facts.json"
    command = compile_command(
        action.source, request.flags, header=action.header, bitcode=bitcode, facts=facts
    )
    return Job(action, command, (bitcode, facts))

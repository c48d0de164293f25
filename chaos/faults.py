"""The faults, one function each.

Each starts one or several builds, disturbs them and waits for them. These builds may fail with a
clear message; the next build must be correct.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import TypeAlias

from chaos.project import CheckFailed, Project
from dovetail.processes.process import children_of

Fault: TypeAlias = Callable[[Project, int, Random], None]
"""Accepts a project, the number of the program to build, and a random generator."""

MAX_DELAY_S = 3.0
"""About the time of a build without a precompiled header."""

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGPIPE)
_CONCURRENT_BUILDS = 3
_NOBODY = 65534


def killed(project: Project, number: int, random: Random) -> None:
    """A build and all its child processes are killed."""
    build = project.start()
    _pause(random)
    os.killpg(build.pid, signal.SIGKILL)
    build.communicate()


def child_killed(project: Project, number: int, random: Random) -> None:
    """A compiler process of a build is killed, as by the OOM killer."""
    build = project.start()
    _pause(random)
    started = [*_descendants(build.pid)]
    if started:
        with suppress(ProcessLookupError):
            os.kill(random.choice(started), signal.SIGKILL)
    if project.finish(build) == 0:
        project.check("program", (number,))


def signalled(project: Project, number: int, random: Random) -> None:
    """A build receives a signal; its child processes do not."""
    before = {*project.temporary.iterdir()}
    build = project.start()
    _pause(random)
    sent = random.choice(_SIGNALS)
    build.send_signal(sent)
    status = project.finish(build)
    if status == 0:
        project.check("program", (number,))
    # Other signals end Python at once, without clean-up.
    elif sent is signal.SIGINT and (left := {*project.temporary.iterdir()} - before):
        raise CheckFailed(f"an interrupted build left temporary files: {sorted(map(str, left))}")


def stopped(project: Project, number: int, random: Random) -> None:
    """A build is suspended for a while, and continues."""
    build = project.start()
    _pause(random)
    os.killpg(build.pid, signal.SIGSTOP)
    time.sleep(random.random() / 2)
    os.killpg(build.pid, signal.SIGCONT)
    _must_succeed(project, build)
    project.check("program", (number,))


def full_cache(project: Project, number: int, random: Random) -> None:
    """The disk with the cache fills up."""
    size = random.choice((64 << 10, 1 << 20, 8 << 20, 32 << 20))
    _must_succeed(project, project.start(before=_mounted(f"size={size}", project.cache)))
    project.check("program", (number,))


def full_temporary_folder(project: Project, number: int, random: Random) -> None:
    """The disk with temporary files fills up."""
    size = random.choice((16 << 10, 256 << 10, 1 << 20, 16 << 20))
    build = project.start(before=_mounted(f"size={size}", project.temporary))
    if project.finish(build) == 0:
        project.check("program", (number,))


def read_only_cache(project: Project, number: int, random: Random) -> None:
    """The cache is read-only; existing entries can be used."""
    folder = str(project.cache)
    script = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"'
    before = ["unshare", "--mount", "sh", "-c", script, folder]
    _must_succeed(project, project.start(before=before))
    project.check("program", (number,))


def foreign_cache(project: Project, number: int, random: Random) -> None:
    """The cache belongs to another user, and must not be changed."""
    os.chown(project.cache, _NOBODY, _NOBODY)
    before = {path: path.stat().st_mtime_ns for path in project.cache.rglob("*")}
    try:
        project.finish(project.start())
        after = {path: path.stat().st_mtime_ns for path in project.cache.rglob("*")}
        if before != after:
            raise CheckFailed("a build wrote into another user's cache")
    finally:
        os.chown(project.cache, os.getuid(), os.getgid())


def damaged_cache(project: Project, number: int, random: Random) -> None:
    """Files of the cache are truncated, emptied, overwritten, replaced or removed."""
    files = sorted(path for path in project.cache.rglob("*") if path.is_file())
    for path in random.sample(files, min(len(files), random.randint(1, 40))):
        _damage(path, random)
    _must_succeed(project, project.start())
    project.check("program", (number,))


def vanishing_cache(project: Project, number: int, random: Random) -> None:
    """The cache is removed while a build uses it, as `dovetail cache clear` does."""
    build = project.start()
    _pause(random)
    for folder in sorted(project.cache.iterdir()):
        if random.random() < 0.7:
            shutil.rmtree(folder, ignore_errors=True)
    if project.finish(build) == 0:
        project.check("program", (number,))


def changing_header(project: Project, number: int, random: Random) -> None:
    """A header is changed while a build reads it."""
    build = project.start()
    other = number + 1
    while build.poll() is None:
        time.sleep(random.random() / 10)
        project.write_header(random.choice((number, other)))
    # Host and device code may be compiled from different states, so the result is not checked.
    project.finish(build)


def concurrent_builds(project: Project, number: int, random: Random) -> None:
    """Several builds of the same sources run concurrently, two of them with the same output."""
    outputs = ["program", *(f"program{each}" for each in range(_CONCURRENT_BUILDS - 1))]
    builds = [project.start(output=output) for output in (*outputs, "program")]
    for build in builds:
        _must_succeed(project, build)
    for output in outputs:
        project.check(output, (number,))


FAULTS: tuple[Fault, ...] = (
    killed,
    child_killed,
    signalled,
    stopped,
    full_cache,
    full_temporary_folder,
    read_only_cache,
    foreign_cache,
    damaged_cache,
    vanishing_cache,
    changing_header,
    concurrent_builds,
)
NEED_ROOT = frozenset((full_cache, full_temporary_folder, read_only_cache, foreign_cache))
"""Faults that mount file systems or change owners."""


def may_mount() -> bool:
    """Return whether this process may mount file systems."""
    command = ["unshare", "--mount", "true"]
    return os.getuid() == 0 and subprocess.run(command, capture_output=True).returncode == 0


def _pause(random: Random) -> None:
    # Favor short delays, to hit builds that are mostly cached too.
    time.sleep(MAX_DELAY_S * random.random() ** 3)


def _must_succeed(project: Project, build: subprocess.Popen[bytes]) -> None:
    output, _ = build.communicate()
    if build.returncode:
        text = output.decode(errors="replace")
        raise CheckFailed(f"a build ended with status {build.returncode}:\n{text}")


def _mounted(options: str, folder: Path) -> Sequence[str]:
    """Return a command prefix that mounts an empty tmpfs over a folder."""
    script = f'mount -t tmpfs -o mode=700,{options} tmpfs "$0" && exec "$@"'
    return ["unshare", "--mount", "sh", "-c", script, str(folder)]


def _damage(path: Path, random: Random) -> None:
    with suppress(FileNotFoundError):
        content = path.read_bytes()
        match random.randrange(5):
            case 0:
                path.write_bytes(content[: random.randint(0, len(content))])
            case 1:
                path.write_bytes(b"")
            case 2:
                path.write_bytes(random.randbytes(len(content)))
            case 3:
                path.unlink()
                path.mkdir()
            case _:
                path.unlink()


def _descendants(process: int) -> Iterator[int]:
    """Yield all direct and indirect child processes."""
    for child in children_of(process):
        yield child
        yield from _descendants(child)

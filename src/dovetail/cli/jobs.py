"""Jobs on standard error: all of them before any is done, or each as it is done."""

import sys
from pathlib import Path

from dovetail.cli.command_line import CommandLine
from dovetail.driver import (
    BuildRequest,
    CheckRequest,
    Job,
    ObjectRequest,
    PassRequest,
    RunRequest,
    Watcher,
    dry_run,
    phases_of,
)
from dovetail.driver import options as o
from dovetail.printable import shell_command

_Request = BuildRequest | CheckRequest | ObjectRequest | PassRequest | RunRequest


class VerboseJobs(Watcher):
    """Prints each job as it would be typed, before it is done."""

    def cached(self, job: Job) -> None:
        sys.stderr.write(f"# kept: {job.step.label()}\n")

    def started(self, job: Job) -> None:
        # In one piece, as several may start at once.
        sys.stderr.write(f"{job}\n")


def is_only_shown(line: CommandLine, request: _Request) -> bool:
    """Whether the plan is all that is wanted; then it is printed."""
    if line.has(o.PRINT_PHASES):
        print(phases_of(request), file=sys.stderr)
        return True
    if line.has(o.DRY_RUN):
        print_plan(request)
        return True
    return False


def print_plan(request: _Request) -> None:
    """Print what a request would come to; the commands can be pasted into a shell."""
    # Most builds are carried out, and need not pay for it.
    import tempfile

    folder = Path(tempfile.gettempdir()) / "dovetail"
    jobs = dry_run(request, folder)
    if any(job.outputs for job in jobs):
        print(shell_command(["mkdir", "-p", str(folder)]), file=sys.stderr)
    for job in jobs:
        print(job, file=sys.stderr)

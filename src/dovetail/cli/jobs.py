"""Print jobs on standard error: all of them for a dry run, or each before it runs."""

import sys
from pathlib import Path

from dovetail.cli.command_line import CommandLine
from dovetail.driver import (
    BuildRequest,
    CheckRequest,
    Job,
    JobListener,
    ObjectRequest,
    PassRequest,
    RunRequest,
    dry_run,
    options as o,
    phases_of,
)
from dovetail.printable import shell_command

_Request = BuildRequest | CheckRequest | ObjectRequest | PassRequest | RunRequest


class VerboseJobs(JobListener):
    """Prints each job as a shell command before it runs."""

    def cached(self, job: Job) -> None:
        sys.stderr.write(f"# cached: {job.step.label()}\n")

    def started(self, job: Job) -> None:
        # A single write, as several jobs may start at once.
        sys.stderr.write(f"{job}\n")


def print_dry_run(line: CommandLine, request: _Request) -> None:
    """Print the phases or the jobs of a request, whichever the options select."""
    if line.has(o.PRINT_PHASES):
        print(phases_of(request), file=sys.stderr)
    else:
        print_plan(request)


def print_plan(request: _Request) -> None:
    """Print the jobs of a request as shell commands."""
    # Imported late: most builds run their jobs.
    import tempfile

    folder = Path(tempfile.gettempdir()) / "dovetail"
    jobs = dry_run(request, folder)
    if any(job.outputs for job in jobs):
        print(shell_command(["mkdir", "-p", str(folder)]), file=sys.stderr)
    for job in jobs:
        print(job, file=sys.stderr)

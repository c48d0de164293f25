"""Jobs on standard error: all of them before any is done, or each as it is done."""

import shlex
import sys
from pathlib import Path

from dovetail.driver import (
    BuildRequest,
    CheckRequest,
    Job,
    ObjectRequest,
    PassRequest,
    RunRequest,
    dry_run,
)


def print_job(job: Job) -> None:
    """Print a job as it would be typed."""
    print(job, file=sys.stderr)


def print_plan(
    request: BuildRequest | CheckRequest | ObjectRequest | PassRequest | RunRequest,
) -> None:
    """Print what a request would come to; the commands can be pasted into a shell."""
    # Most builds are carried out, and need not pay for it.
    import tempfile

    folder = Path(tempfile.gettempdir()) / "dovetail"
    jobs = dry_run(request, folder)
    if any(job.outputs for job in jobs):
        print(shlex.join(["mkdir", "-p", str(folder)]), file=sys.stderr)
    for job in jobs:
        print_job(job)

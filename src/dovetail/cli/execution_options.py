"""Execution options of a build: progress, saved files, time report, parallelism."""

import signal
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

from dovetail.cli.command_line import CommandLine
from dovetail.cli.output import choose_colors
from dovetail.cli.progress import JobProgress, Progress
from dovetail.cli.slow_tools import Notices, SlowTools
from dovetail.driver import (
    BuildRequest,
    CheckRequest,
    ExecutionOptions,
    JobListeners,
    ObjectRequest,
    RunRequest,
    options as o,
)

if TYPE_CHECKING:
    from dovetail.cli.jobs import VerboseJobs
    from dovetail.driver.saved_files import SavedFiles
    from dovetail.driver.time_report import TimeReport

_WORKING_DIRECTORY, _BESIDE_OUTPUT = "cwd", "obj"

_COLOR_OPTIONS = {
    "-fcolor-diagnostics": True,
    "-fdiagnostics-color": True,
    "-fdiagnostics-color=always": True,
    "-fdiagnostics-color=auto": None,
    "-fdiagnostics-color=never": False,
    "-fno-diagnostics-color": False,
    "-fno-color-diagnostics": False,
}
"""Clang's options for colors; the last one counts."""

_TERMINATION_SIGNALS = (signal.SIGTERM, signal.SIGHUP)

_Request = BuildRequest | CheckRequest | ObjectRequest | RunRequest


@contextmanager
def execution_options(line: CommandLine, request: _Request) -> Generator[ExecutionOptions]:
    """Provide the execution options; print the time report at the end, even after an error."""
    for choice in (_COLOR_OPTIONS[arg] for arg in line.for_clang if arg in _COLOR_OPTIONS):
        choose_colors(choice)
    saved, timed = _saved_files(line, request), _time_report(line)
    try:
        with _exit_on_signals(), Progress() as progress:
            jobs = JobProgress(progress)
            verbose = _verbose_jobs(line)
            has_line = progress.is_shown and not verbose
            listeners = [listener for listener in (verbose or jobs, saved, timed) if listener]
            number = line.values.get(o.PARALLELISM.spelling)
            parallel_jobs = 0 if number is None else o.parallel_jobs(number)
            with SlowTools(jobs.tick if has_line else Notices().tick):
                yield ExecutionOptions(JobListeners(*listeners), parallel_jobs)
    finally:
        if timed:
            as_json = line.has(o.TIME_REPORT_JSON)
            print(timed.json() if as_json else timed.text(), file=sys.stderr)


@contextmanager
def _exit_on_signals() -> Generator[None]:
    """On termination signals, exit by an exception, so that compilers and files are cleaned up."""
    before = {number: signal.getsignal(number) for number in _TERMINATION_SIGNALS}
    for number, handler in before.items():
        if handler is signal.SIG_DFL:
            signal.signal(number, _exit)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _exit(number: int, frame: FrameType | None) -> NoReturn:
    raise SystemExit(128 + number)


def _verbose_jobs(line: CommandLine) -> "VerboseJobs | None":
    if not line.has(o.VERBOSE):
        return None
    # Imported late, as the others below: most builds print no jobs.
    from dovetail.cli.jobs import VerboseJobs

    return VerboseJobs()


def _time_report(line: CommandLine) -> "TimeReport | None":
    if not line.has(o.TIME_REPORT) and not line.has(o.TIME_REPORT_JSON):
        return None
    from dovetail.driver.time_report import TimeReport

    return TimeReport()


def _saved_files(line: CommandLine, request: _Request) -> "SavedFiles | None":
    """Return the listener for `-save-temps`, or None without that option."""
    place = line.values.get(o.SAVE_TEMPS_IN.spelling)
    if place is None and not line.has(o.SAVE_TEMPS):
        return None
    from dovetail.driver.saved_files import SavedFiles

    outputs = _outputs(request)
    if place == _BESIDE_OUTPUT:
        folder = outputs[0].parent if outputs else Path()
    else:
        folder = Path() if place in (None, "", _WORKING_DIRECTORY) else Path(place)
    dependencies = line.values.get(o.DEPENDENCY_FILE.spelling)
    taken = [*outputs, *map(Path, line.inputs), *([Path(dependencies)] if dependencies else [])]
    program = (outputs or [Path(line.inputs[0])])[0].stem
    return SavedFiles(folder, program, taken)


def _outputs(request: _Request) -> list[Path]:
    if isinstance(request, ObjectRequest):
        return list(request.outputs)
    if isinstance(request, CheckRequest) or request.output is None:
        return []
    return [request.output]

"""Runs steps: in threads, with a temporary folder and a pool of processes."""

import shlex
import tempfile
import time
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

from dovetail.driver.job_listener import ExecutionOptions, Spent, all_cores
from dovetail.driver.slots import Slots
from dovetail.driver.step import AnyStep, Job, Results, Task, jobs_of
from dovetail.driver.steps.passes import Passes
from dovetail.errors import IRError, OutOfMemory, ToolFailed, is_out_of_memory
from dovetail.files import naming_full_disk
from dovetail.frontend import Tools
from dovetail.frontend.read_set import ReadSet, now
from dovetail.processes.pool import WorkerPool
from dovetail.processes.running_tools import for_purpose

if TYPE_CHECKING:
    from dovetail.codegen import CodeFailure

POLL_INTERVAL_S = 0.2
"""How often the main thread handles signals while steps run."""


class StepOutcome(NamedTuple):
    """The outcome of a step that ran."""

    result: Any
    content: bytes | None
    """The serialized result, if requested and possible."""
    messages: str
    llvm_warnings: tuple[str, ...]
    reads: ReadSet | None
    """What the step's program read, if known."""
    failures: "tuple[CodeFailure, ...]" = ()
    """Failures that did not stop it."""


class Stopwatch:
    """Measures the time that a thread spends on a job, from construction on."""

    def __init__(self, job: Job, processes: WorkerPool) -> None:
        self._job = job
        self._processes = processes
        processes.time_thread()
        self._cpu = time.thread_time()
        self._start = time.monotonic()

    def spent(self) -> Spent:
        """Return the time since construction."""
        wall = time.monotonic() - self._start
        cpu = time.thread_time() - self._cpu + self._processes.take_cpu_seconds()
        if not self._job.step.runs_command:
            # Only such steps start processes from other threads.
            cpu += self._processes.take_cpu_seconds_of_others()
        if self._job.step.waits_for_compilers:
            # Its compilers may have been started by earlier steps.
            cpu += self._processes.take_cpu_seconds_of_idle()
        return Spent(self._start, wall, cpu)


class BuildSession:
    """Runs the steps of one plan; created for the first step that is not cached."""

    def __init__(self, root: AnyStep, options: ExecutionOptions, *, trace: bool) -> None:
        self._root = root
        self._listener = options.listener
        self.slots = Slots(options.parallelism or all_cores())
        self.trace = trace
        self.started = now()
        self.processes = WorkerPool()
        self.search_folders: dict[tuple[str, ...], list[str]] = {}
        self._folder = tempfile.TemporaryDirectory(prefix="dovetail-")
        self.folder = Path(self._folder.name)
        self.tools = Tools(self.folder)
        self.jobs = jobs_of(root, self.folder)
        self._to_preload = list(self.jobs)
        self._lock = Lock()
        self._pool = ThreadPoolExecutor(self.slots.count)
        self._running: dict[Future[StepOutcome], AnyStep] = {}

    @property
    def reports_intermediate_results(self) -> bool:
        return self._listener.needs_all

    def preload(self) -> None:
        """Import what the steps after a compilation need.

        If a compilation is not cached, the later steps rarely are. Loading LLVM takes longer than
        compiling a small source.
        """
        with self._lock:
            waiting, self._to_preload = self._to_preload, []
        for step in waiting:
            step.preload()

    def report_intermediate_result(self, job: Job, made: object) -> None:
        self._listener.intermediate_result(job, made)

    def start(self, step: AnyStep, results: Results, *, serialize: bool) -> None:
        """Run a step in another thread."""
        task = Task(self.jobs[step], results, self)
        self._running[self._pool.submit(self._run, task, serialize)] = step

    @property
    def is_busy(self) -> bool:
        return bool(self._running)

    def finished(self) -> list[tuple[AnyStep, Future[StepOutcome]]]:
        """Wait until a step has ended, and return all steps that have."""
        done: set[Future[StepOutcome]] = set()
        # A signal that another thread receives does not interrupt `wait`.
        while not done:
            done = wait(self._running, timeout=POLL_INTERVAL_S, return_when=FIRST_COMPLETED).done
        return [(self._running.pop(future), future) for future in done]

    def cancel(self) -> None:
        """Terminate running processes, without waiting for their steps."""
        self.processes.end()
        self._pool.shutdown(wait=False, cancel_futures=True)

    def close(self) -> None:
        """Wait for running steps, end idle processes, and remove all files."""
        self._pool.shutdown()
        self.processes.end()
        self._folder.cleanup()

    def _run(self, task: Task, serialize: bool) -> StepOutcome:
        """Run a step in a slot, with the processes of this session; return its outcome."""
        with (
            self.slots.held(),
            self.processes.current(),
            naming_full_disk(self.folder.parent),
        ):
            result = self._run_step(task)
            content = task.job.step.serialize(task, result) if serialize else None
        warnings = (warning for each in task.contexts for warning in each.take_warnings())
        failures = tuple(task.failures)
        return StepOutcome(result, content, task.messages, tuple(warnings), task.reads, failures)

    def _run_step(self, task: Task) -> Any:
        """Run a step, tell the listener, and name the step in errors."""
        step = task.job.step
        self._listener.started(task.job)
        stopwatch = Stopwatch(task.job, self.processes)
        try:
            with for_purpose(step.label()):
                result = step.run(task)
        except ToolFailed as error:
            message = f"in the step '{step.label()}': {error.message}"
            raise ToolFailed(message, hint=error.hint) from None
        except IRError as error:
            raise _with_advice(error, self._root) from error
        except Exception as error:
            if is_out_of_memory(error):
                raise OutOfMemory(f"doing the step '{step.label()}'") from None
            raise
        self._listener.finished(task.job, result, stopwatch.spent())
        return result


def _with_advice(error: IRError, root: AnyStep) -> IRError:
    """Return the error with a hint on how to reproduce it: LLVM rejected the IR of clang."""
    passes = [step for step in root.in_order() if isinstance(step, Passes) and step.source]
    if error.hint or not passes:
        return error
    command = shlex.join(["dovetail", "opt", "-p", passes[0].pipeline])
    return IRError(
        error.message,
        hint=f"to reproduce it, build with -save-temps and run: {command}"
        " --facts NAME.facts.json NAME.bc",
    )

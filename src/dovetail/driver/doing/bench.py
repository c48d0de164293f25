"""Where steps are done: a folder for files, threads, the programs that run."""

import shlex
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from dovetail.codegen import CodeFailure
from dovetail.driver.actions import Action, Phase, Request
from dovetail.driver.binding import Job, bind
from dovetail.driver.slots import Slots
from dovetail.driver.watching import Manner, Spent, all_cores, title_of
from dovetail.driver.ways import WAYS, Way, function
from dovetail.errors import IRError, OutOfMemory, ToolFailed, is_out_of_memory
from dovetail.files import naming_full_disk
from dovetail.frontend import Source, Tools
from dovetail.frontend.reads import Reads, now
from dovetail.processes.pool import WorkerPool
from dovetail.processes.running import for_purpose

if TYPE_CHECKING:
    from dovetail.ir import Context


_A_LITTLE = 0.2
"""Seconds after which the main thread looks whether anyone wants it to end."""


class Done(NamedTuple):
    """What came of a step."""

    made: Any
    content: bytes | None
    """The same as bytes, if that was wanted and can be."""
    messages: str
    llvm_warnings: tuple[str, ...]
    reads: Reads | None
    """What a program that was started has read, if that is known."""
    failures: tuple[CodeFailure, ...] = ()
    """What it went on in spite of."""


@dataclass
class Task:
    """One step, as it is done."""

    job: Job
    inputs: Sequence[Any]
    bench: "Bench"
    messages: str = ""
    reads: Reads | None = None
    failures: list[CodeFailure] = field(default_factory=list[CodeFailure])
    contexts: "list[Context]" = field(default_factory=list)
    """LLVM's that the step works in, where its warnings are found."""

    def new_context(self) -> "Context":
        """A context for what this step makes.

        In one with others, the names of types would depend on which step came first.
        """
        # A build whose device code is kept has no use for LLVM.
        from dovetail.ir import Context

        self.contexts.append(Context())
        return self.contexts[-1]

    @property
    def action(self) -> Action:
        return self.job.action

    @property
    def source(self) -> Source:
        """What is compiled."""
        assert self.job.action.source
        return self.job.action.source


class Stopwatch:
    """What a thread spends from now on for a job."""

    def __init__(self, job: Job, processes: WorkerPool) -> None:
        self._job = job
        self._processes = processes
        processes.time_thread()
        self._cpu = time.thread_time()
        self._start = time.monotonic()

    def spent(self) -> Spent:
        """Until now."""
        wall = time.monotonic() - self._start
        cpu = time.thread_time() - self._cpu + self._processes.take_cpu_seconds()
        if self._job.in_process:
            # No other step has children that this thread does not wait for.
            cpu += self._processes.take_cpu_seconds_of_others()
        if self._job.action.phase is Phase.GENERATE:
            # Compilers may have come up earlier, but for this.
            cpu += self._processes.take_cpu_seconds_of_idle()
        return Spent(self._start, wall, cpu)


class Bench:
    """Made when the first step has to be done; as a context manager it clears up."""

    def __init__(self, root: Action, request: Request, manner: Manner, *, trace: bool) -> None:
        self.root = root
        self.watcher = manner.watcher
        self.slots = Slots(manner.at_once or all_cores())
        self.trace = trace
        """Whether it is to be found out what programs read."""
        self.started = now()
        self.processes = WorkerPool()
        self.search_folders: dict[tuple[str, ...], list[str]] = {}
        self._folder = tempfile.TemporaryDirectory(prefix="dovetail-")
        self.folder = Path(self._folder.name)
        self.tools = Tools(self.folder)
        self.jobs = {job.action: job for job in bind(root, request, self.folder)}
        self._pool = ThreadPoolExecutor(self.slots.count)
        self._running: dict[Future[Done], Action] = {}

    def start(self, action: Action, inputs: Sequence[Any], *, freeze: bool) -> None:
        """Do a step, in a thread of its own."""
        task = Task(self.jobs[action], inputs, self)
        self._running[self._pool.submit(self._do, task, freeze)] = action

    @property
    def is_busy(self) -> bool:
        return bool(self._running)

    def finished(self) -> list[tuple[Action, Future[Done]]]:
        """Steps that have come to an end, once there is one."""
        done: set[Future[Done]] = set()
        # A signal that another thread received does not end a wait, only what comes after it.
        while not done:
            done = wait(self._running, timeout=_A_LITTLE, return_when=FIRST_COMPLETED).done
        return [(self._running.pop(future), future) for future in done]

    def end(self) -> None:
        """Above all for someone who does not want to wait any more."""
        self.processes.end()
        self._pool.shutdown(wait=False, cancel_futures=True)

    def close(self) -> None:
        """Wait for what still runs, end what waits for more, and remove all files."""
        self._pool.shutdown()
        self.processes.end()
        self._folder.cleanup()

    def _watched(self, task: Task, way: Way) -> Any:
        self.watcher.started(task.job)
        stopwatch = Stopwatch(task.job, self.processes)
        try:
            with for_purpose(title_of(task.job)):
                made = function(way.do)(task)
        except ToolFailed as error:
            step = f"in the step '{title_of(task.job)}'"
            raise ToolFailed(f"{step}: {error.message}", hint=error.hint) from None
        except IRError as error:
            raise _with_advice(error, self.root) from error
        except Exception as error:
            if is_out_of_memory(error):
                raise OutOfMemory(f"doing the step '{title_of(task.job)}'") from None
            raise
        self.watcher.finished(task.job, made, stopwatch.spent())
        return made

    def _do(self, task: Task, freeze: bool) -> Done:
        way = WAYS[task.action.phase]
        with (
            self.slots.held(),
            self.processes.current(),
            naming_full_disk(self.folder.parent),
        ):
            made = self._watched(task, way)
            content = function(way.freeze)(task, made) if freeze and way.freeze else None
        warnings = (warning for each in task.contexts for warning in each.take_warnings())
        return Done(made, content, task.messages, tuple(warnings), task.reads, tuple(task.failures))


def _with_advice(error: IRError, root: Action) -> IRError:
    """LLVM refused what clang had accepted: say how to see the failure again."""
    refused = [action for action in root.in_order() if action.phase is Phase.PASSES]
    if error.hint or not refused or refused[0].source is None:
        return error
    command = shlex.join(["dovetail", "opt", "-p", refused[0].pipeline])
    return IRError(
        error.message,
        hint=f"-save-temps keeps what clang made of each source; the passes again: {command}"
        " --facts NAME.facts.json NAME.bc",
    )

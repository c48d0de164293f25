"""What a build step is: the interface between the planner, which makes steps, and all others.

A step is an immutable record of everything about it, with the steps whose results it takes. Each
kind of step is a class in a module of `steps/`. The planner makes them; whatever executes, caches,
shows, saves or times them knows only `Step`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from dovetail.printable import shell_command

if TYPE_CHECKING:
    # A build whose steps are all cached needs none of these.
    from dovetail.artifacts import CompiledImage, DeviceImage
    from dovetail.codegen import CodeFailure
    from dovetail.driver.slots import Slots
    from dovetail.frontend import Tools
    from dovetail.frontend.read_set import ReadSet
    from dovetail.ir import Context
    from dovetail.processes.pool import WorkerPool

Result = TypeVar("Result")

NOWHERE = Path("/dovetail")
"""The folder of jobs that are only looked at."""


class Step(Generic[Result]):
    """A build step with a result. Equal only to itself.

    Subclasses are named tuples as well: `class Passes(Step[DeviceModule], PassesFields)`.
    """

    __slots__ = ()

    title: ClassVar[str]
    """What the step does, for people: `front-end`."""
    makes: ClassVar[str] = "none"
    """The kind of its result, for people."""
    side: ClassVar[str] = ""
    """`host` or `device`; empty for both."""
    runs_command: ClassVar[bool] = False
    """Whether it starts a program; other steps run in this process."""
    is_immediate: ClassVar[bool] = False
    """Whether it only combines the results of others: it runs in the main thread, uncached."""
    reads_source: ClassVar[bool] = False
    """Whether its input file is a source, which each side and family reads for itself."""
    can_be_cached: ClassVar[bool] = True
    can_be_restored: ClassVar[bool] = False
    """Whether `deserialize` is implemented; else only its outcome is remembered."""
    follows_from_inputs: ClassVar[bool] = False
    """Whether it is silent and so quick that its key says all of its outcome."""
    needs_reads: ClassVar[bool] = False
    """Whether it is cached only if it is known which files its program has read."""
    waits_for_compilers: ClassVar[bool] = False
    """Whether the time of compilers that were started ahead belongs to it."""
    identity_in_command: ClassVar[bool] = False
    """Whether steps that take its result name a file of it, whose identity is in their keys."""
    not_in_key: ClassVar[tuple[str, ...]] = ()
    """Fields that do not change the result, or that the command has."""

    _fields: ClassVar[tuple[str, ...]]

    def fields(self) -> Iterator[tuple[str, object]]:
        """Return its fields, by name."""
        return ((name, getattr(self, name)) for name in self._fields)

    def inputs(self) -> "tuple[AnyStep, ...]":
        """Return the steps whose results it takes."""
        raise NotImplementedError

    def subject(self) -> str:
        """Return what it works on, for people: a source or a target."""
        return ""

    def about(self) -> tuple[str, ...]:
        """Return the side, family and target that `-ccc-print-phases` shows."""
        return (self.side,) if self.side else ()

    def result_kind(self) -> str:
        """Return the kind of its result, for people."""
        return self.makes

    def input_files(self) -> Iterator[tuple[str, str]]:
        """Return the files of the user's that it reads, each with its kind."""
        return iter(())

    def toolchain(self) -> str:
        """Return the toolchain whose compilers its results will go to, if there is one."""
        return ""

    def job(self, place: Path, jobs: "Mapping[AnyStep, Job]") -> "Job":
        """Return how it is carried out. Its files are named `place` with different suffixes."""
        return Job(self, self.words())

    def words(self) -> tuple[str, ...]:
        """Return what a step in this process does, as `-###` shows it."""
        return (self.title,)

    def is_cacheable(self) -> bool:
        """Whether everything that it reads and writes is known."""
        return True

    def named_files(self, identities: "Mapping[AnyStep, str]") -> dict[Path, str]:
        """Return the identities of files in its command that are not outputs of other jobs.

        `identities` has those of the results of its inputs.
        """
        return {}

    def extra_key(self) -> tuple[str, ...]:
        """Return what the result depends on beside fields, command and inputs."""
        return ()

    def preload(self) -> None:
        """Import what `run` needs, while clang makes the first of its inputs."""

    def run(self, task: "Task") -> Result:
        """Carry it out."""
        raise NotImplementedError

    def combine(self, results: "Results") -> Result:
        """Carry out an immediate step."""
        raise NotImplementedError

    def serialize(self, task: "Task", result: Result) -> bytes | None:
        """Return the result as bytes; None if it cannot be cached."""
        return None

    def deserialize(self, content: bytes, session: "Callable[[], Session]") -> Result:
        """Return the result that `serialize` made bytes of.

        `FormatError` or `IRError` for other bytes; the step runs again then.
        """
        raise NotImplementedError

    def save(self, files: "SavedResults", job: "Job", result: Result) -> None:
        """Write what it made for `-save-temps`."""

    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other

    def __hash__(self) -> int:
        return id(self)

    def label(self) -> str:
        """Return what it does and with what, for people."""
        return " ".join(filter(None, (self.title, self.subject())))

    def in_order(self) -> "Iterator[AnyStep]":
        """Return this step after all that it needs, each once."""
        return _in_order(self, set())


AnyStep: TypeAlias = Step[Any]


def _in_order(step: AnyStep, seen: set[AnyStep]) -> Iterator[AnyStep]:
    if step in seen:
        return
    seen.add(step)
    for needed in step.inputs():
        yield from _in_order(needed, seen)
    yield step


class Job(NamedTuple):
    """A step with everything that is needed to carry it out."""

    step: AnyStep
    command: tuple[str, ...]
    """What is started; for a step in this process, words that say what it does."""
    outputs: tuple[Path, ...] = ()
    """The files that a started command leaves."""
    inputs: tuple[Path, ...] = ()
    """The files of other jobs that the job itself reads."""
    then: tuple[str, ...] = ()
    """What is started after the command, to finish its output."""

    def __str__(self) -> str:
        """As a dry run prints it: a command for the shell, or a remark."""
        words = shell_command(self.command)
        if not self.step.runs_command:
            return f"# in process: {words}"
        return f"{words} && {shell_command(self.then)}" if self.then else words


def jobs_of(root: AnyStep, folder: Path) -> dict[AnyStep, Job]:
    """Return a job for each step, in an order in which they can run; files are in `folder`."""
    jobs: dict[AnyStep, Job] = {}
    for number, step in enumerate(root.in_order()):
        jobs[step] = step.job(folder / str(number), jobs)
    return jobs


class Results:
    """The results of steps, typed by step."""

    def __init__(self) -> None:
        self._results: dict[AnyStep, Any] = {}

    def __contains__(self, step: AnyStep) -> bool:
        return step in self._results

    def add(self, step: Step[Result], result: Result) -> None:
        self._results[step] = result

    def of(self, step: Step[Result]) -> Result:
        """Return the result of a step that has run, or was restored."""
        result: Result = self._results[step]
        return result

    def all_of(self, steps: Sequence[Step[Result]]) -> list[Result]:
        return [self.of(step) for step in steps]


class Session(Protocol):
    """Where steps run: a folder for files, threads, programs that run."""

    @property
    def jobs(self) -> dict[AnyStep, Job]: ...
    @property
    def folder(self) -> Path: ...
    @property
    def tools(self) -> "Tools": ...
    @property
    def slots(self) -> "Slots": ...
    @property
    def processes(self) -> "WorkerPool": ...
    @property
    def search_folders(self) -> dict[tuple[str, ...], list[str]]: ...
    @property
    def started(self) -> int:
        """When it began, as files count time."""
        ...

    @property
    def trace(self) -> bool:
        """Whether to find out which files programs read."""
        ...

    @property
    def shows_all(self) -> bool:
        """Whether someone wants to see what happens inside of steps."""
        ...

    def preload(self) -> None:
        """Have steps import what they need, while there is time for it."""
        ...

    def made_meanwhile(self, job: Job, made: object) -> None:
        """Report something that stays inside of a step."""
        ...


class Task:
    """A step while it runs."""

    def __init__(self, job: Job, results: Results, session: Session) -> None:
        self.job = job
        self.results = results
        self.session = session
        self.messages = ""
        self.reads: ReadSet | None = None
        self.failures: list[CodeFailure] = []
        """What it went on in spite of."""
        self.contexts: list[Context] = []
        """LLVM's that the step works in, where its warnings are found."""

    def new_context(self) -> "Context":
        """Return a context for what this step makes.

        In one with others, the names of types would depend on which step came first.
        """
        # A build whose device code is cached has no use for LLVM.
        from dovetail.ir import Context

        self.contexts.append(Context())
        return self.contexts[-1]


class SavedResults(Protocol):
    """Where `-save-temps` writes to."""

    @property
    def program(self) -> str:
        """What names begin with that belong to no source."""
        ...

    def stem(self, owner: object) -> str:
        """Return what the names of files of a source, or of a step, begin with."""
        ...

    def safe(self, name: str) -> str:
        """Return a name as a part of a file's."""
        ...

    def write(self, name: str, content: bytes) -> None: ...
    def copy(self, file: Path, name: str) -> None:
        """Keep a file, if the job has left it."""
        ...

    def write_images(self, linked: AnyStep, images: "Sequence[DeviceImage]") -> None: ...
    def write_table(self, linked: AnyStep, target: str, is_chosen: Callable[[int], bool]) -> None:
        """List the files of the images that a target gets."""
        ...

    def write_code(self, linked: AnyStep, images: "Sequence[CompiledImage]") -> None: ...

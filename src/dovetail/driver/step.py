"""The interface of build steps, and the jobs that execute them.

A step is an immutable record of its parameters and of the steps whose results it uses. Each kind of
step is a class in a module of `steps/`. Only the planner knows these classes; the executor, the
cache and the reports use `Step`.
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
"""The folder in the commands of jobs that do not run."""


class Step(Generic[Result]):
    """A build step with a result. Steps are compared by identity.

    Subclasses are also named tuples: `class Passes(Step[DeviceModule], PassesFields)`.
    """

    __slots__ = ()

    title: ClassVar[str]
    """What the step does, in reports: `front-end`."""
    makes: ClassVar[str] = "none"
    """The kind of its result, in reports."""
    side: ClassVar[str] = ""
    """`host` or `device`; empty for both."""
    runs_command: ClassVar[bool] = False
    """Whether it runs a program; other steps run in this process."""
    is_immediate: ClassVar[bool] = False
    """Whether it only combines results: it runs in the main thread and is not cached."""
    reads_source: ClassVar[bool] = False
    """Whether its input file is a source, which each side and IR family reads separately."""
    can_be_cached: ClassVar[bool] = True
    can_be_restored: ClassVar[bool] = False
    """Whether `deserialize` is implemented; otherwise only messages and identity are cached."""
    follows_from_inputs: ClassVar[bool] = False
    """Whether its key is the identity of its result: it is silent, fast, and not cached."""
    needs_reads: ClassVar[bool] = False
    """Whether it is cached only if the files that its program read are known."""
    waits_for_compilers: ClassVar[bool] = False
    """Whether its time includes that of compilers that were started in advance."""
    identity_in_command: ClassVar[bool] = False
    """Whether steps that use its result name its file in their commands, and so in their keys."""
    not_in_key: ClassVar[tuple[str, ...]] = ()
    """Fields that do not affect the result, or that the command contains."""

    _fields: ClassVar[tuple[str, ...]]

    def fields(self) -> Iterator[tuple[str, object]]:
        """Return its fields with their names."""
        return ((name, getattr(self, name)) for name in self._fields)

    def inputs(self) -> "tuple[AnyStep, ...]":
        """Return the steps whose results it uses."""
        raise NotImplementedError

    def subject(self) -> str:
        """Return its source or target, for reports."""
        return ""

    def about(self) -> tuple[str, ...]:
        """Return the side, IR family and target that `-ccc-print-phases` shows."""
        return (self.side,) if self.side else ()

    def result_kind(self) -> str:
        """Return the kind of its result, for reports."""
        return self.makes

    def input_files(self) -> Iterator[tuple[str, str]]:
        """Return the user's files that it reads, each with its kind."""
        return iter(())

    def toolchain(self) -> str:
        """Return the toolchain that will compile its result, or an empty string."""
        return ""

    def job(self, place: Path, jobs: "Mapping[AnyStep, Job]") -> "Job":
        """Return the job that executes it. Its files are `place` with different suffixes."""
        return Job(self, self.words())

    def words(self) -> tuple[str, ...]:
        """Return what `-###` prints for a step that runs in this process, as a command."""
        return (self.title,)

    def is_cacheable(self) -> bool:
        """Return whether everything that it reads and writes is known."""
        return True

    def named_files(self, identities: "Mapping[AnyStep, str]") -> dict[Path, str]:
        """Return the identities of files in its command that are not outputs of other jobs.

        `identities` contains the identities of its inputs' results.
        """
        return {}

    def extra_key(self) -> tuple[str, ...]:
        """Return what the result depends on besides fields, command and inputs."""
        return ()

    def preload(self) -> None:
        """Import what `run` needs; called while clang compiles."""

    def run(self, task: "Task") -> Result:
        """Execute the step and return its result."""
        raise NotImplementedError

    def combine(self, results: "Results") -> Result:
        """Execute an immediate step and return its result."""
        raise NotImplementedError

    def serialize(self, task: "Task", result: Result) -> bytes | None:
        """Return the result as bytes; None if it cannot be cached."""
        return None

    def deserialize(self, content: bytes, session: "Callable[[], Session]") -> Result:
        """Return a serialized result.

        `FormatError` or `IRError` for invalid content; the step then runs again.
        """
        raise NotImplementedError

    def save(self, files: "SavedResults", job: "Job", result: Result) -> None:
        """Write the result to files for `-save-temps`."""

    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other

    def __hash__(self) -> int:
        return id(self)

    def label(self) -> str:
        """Return title and subject, for reports."""
        return " ".join(filter(None, (self.title, self.subject())))

    def in_order(self) -> "Iterator[AnyStep]":
        """Return this step and all that it needs, each once and after its inputs."""
        return _in_order(self, set())


AnyStep: TypeAlias = Step[Any]


def _in_order(step: AnyStep, seen: set[AnyStep]) -> Iterator[AnyStep]:
    """Yield a step after all that it needs, each once; add them to `seen`."""
    if step in seen:
        return
    seen.add(step)
    for needed in step.inputs():
        yield from _in_order(needed, seen)
    yield step


class Job(NamedTuple):
    """A step with its command and files."""

    step: AnyStep
    command: tuple[str, ...]
    """The command; for a step that runs in this process, what `-###` prints."""
    outputs: tuple[Path, ...] = ()
    """The files that the command writes."""
    inputs: tuple[Path, ...] = ()
    """The files of other jobs that the job itself reads."""
    then: tuple[str, ...] = ()
    """A second command, which finishes the output of the first."""

    def __str__(self) -> str:
        """Return the job as a dry run prints it: a shell command or a comment."""
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
    """The results of steps; a result has the type that its step declares."""

    def __init__(self) -> None:
        self._results: dict[AnyStep, Any] = {}

    def __contains__(self, step: AnyStep) -> bool:
        return step in self._results

    def add(self, step: Step[Result], result: Result) -> None:
        self._results[step] = result

    def of(self, step: Step[Result]) -> Result:
        """Return the result of a step that ran or was restored."""
        result: Result = self._results[step]
        return result

    def all_of(self, steps: Sequence[Step[Result]]) -> list[Result]:
        return [self.of(step) for step in steps]


class Session(Protocol):
    """What steps use while they run: folder, tools, processes."""

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
        """The start of the session, as a file timestamp."""
        ...

    @property
    def trace(self) -> bool:
        """Whether to record which files programs read."""
        ...

    @property
    def reports_intermediate_results(self) -> bool:
        """Whether intermediate results of steps are reported."""
        ...

    def preload(self) -> None:
        """Let steps import what they need, while clang compiles."""
        ...

    def report_intermediate_result(self, job: Job, made: object) -> None:
        """Report an intermediate result of a step."""
        ...


class Task:
    """A running step: its job, its inputs' results, and what it reports."""

    def __init__(self, job: Job, results: Results, session: Session) -> None:
        self.job = job
        self.results = results
        self.session = session
        self.messages = ""
        self.reads: ReadSet | None = None
        self.failures: list[CodeFailure] = []
        """Failures that did not stop it."""
        self.contexts: list[Context] = []
        """The LLVM contexts that the step uses, which collect LLVM's warnings."""

    def new_context(self) -> "Context":
        """Create a context for the step, and return it; its warnings are those of the step.

        In a shared context, names of types would depend on the order of steps.
        """
        # A build whose device code is cached does not need LLVM.
        from dovetail.ir import Context

        self.contexts.append(Context())
        return self.contexts[-1]


class SavedResults(Protocol):
    """Writes the files of `-save-temps`."""

    @property
    def program(self) -> str:
        """The prefix of files that do not belong to a single source."""
        ...

    def stem(self, owner: object) -> str:
        """Return the prefix of the files of a source or step."""
        ...

    def safe(self, name: str) -> str:
        """Return a name with characters that file names should not contain replaced."""
        ...

    def write(self, name: str, content: bytes) -> None: ...
    def copy(self, file: Path, name: str) -> None:
        """Copy a file, if the job wrote it."""
        ...

    def write_images(self, linked: AnyStep, images: "Sequence[DeviceImage]") -> None: ...
    def write_table(self, linked: AnyStep, target: str, is_chosen: Callable[[int], bool]) -> None:
        """Write a table with the files of the images chosen for a target."""
        ...

    def write_code(self, linked: AnyStep, images: "Sequence[CompiledImage]") -> None: ...

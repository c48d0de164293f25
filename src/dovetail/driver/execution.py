"""Execute a plan: run the steps that are not cached, each as soon as its inputs are there.

The executor looks up steps in the cache from the leaves of the graph to its root. The cache key of
a step depends on its own parameters and on the identities (digests) of its inputs' results:

- Cache hit: the step does not run. Its result is restored only if another step needs it.
- Cache miss: the step runs once the results of its inputs are made or restored.

If a step runs and makes the same result as before, its identity is the same too, so the steps that
depend on it may still be cache hits.
"""

from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from itertools import chain
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from dovetail import codegen, frontend
from dovetail.driver.job_listener import ExecutionOptions, Spent
from dovetail.driver.step import NOWHERE, AnyStep, Results, Step, jobs_of
from dovetail.driver.step_cache import StepCache, StepRecord, digest_of
from dovetail.errors import CompileError

if TYPE_CHECKING:
    # A build whose steps are all cached need not load the session.
    from dovetail.codegen import CodeFailure
    from dovetail.driver.session import BuildSession, StepOutcome

_Result = TypeVar("_Result")

_NO_TIME = Spent(0.0, 0.0, 0.0)


class Executed(NamedTuple, Generic[_Result]):
    """The outcome of a plan."""

    result: _Result
    """Of the root step."""
    results: Results
    """Of all steps that ran or were restored."""
    messages: dict[AnyStep, str]
    """Clang's messages by step, in the order of the plan."""
    llvm_warnings: list[str]
    failures: "tuple[CodeFailure, ...]" = ()
    """Failures that did not stop the build."""

    def warnings(self) -> str:
        """Return clang's and LLVM's warnings without duplicates."""
        ours = [f"warning: {text}" for text in dict.fromkeys(self.llvm_warnings)]
        if self.messages:
            # Imported by this use: most builds have no messages.
            ours.insert(0, frontend.join_messages(_by_source(self.messages)))
        return "\n".join(filter(None, ours))


def execute(root: Step[_Result], options: ExecutionOptions | None = None) -> Executed[_Result]:
    """Return the result of `root`; run only the steps that are not cached."""
    execution = _Execution(root, options or ExecutionOptions())
    try:
        execution.run()
    except BaseException:
        if execution.session:
            execution.session.cancel()
        raise
    finally:
        if execution.session:
            execution.session.close()
    return execution.executed(root)


class _Execution:
    """The state of a plan while it is executed."""

    def __init__(self, root: AnyStep, options: ExecutionOptions) -> None:
        self._root = root
        self._options = options
        # The session makes its own jobs, in its folder; keys do not depend on the folder.
        self._jobs = jobs_of(root, NOWHERE)
        self._cache = StepCache(self._jobs, use=not options.listener.needs_all)
        self._records: dict[AnyStep, StepRecord] = {}
        """The outcomes of steps that were cached or have run."""
        self._keys: dict[AnyStep, str | None] = {}
        self._to_run: set[AnyStep] = set()
        self._started: set[AnyStep] = set()
        self._results = Results()
        self._errors: dict[AnyStep, BaseException] = {}
        self._failures: list[CodeFailure] = []
        self.session: BuildSession | None = None

    def run(self) -> None:
        """Run steps until the root has a result; raise the errors of steps if it cannot get one."""
        self._options.listener.planned(tuple(self._jobs.values()))
        while self._root not in self._results:
            self._look_up()
            while self._restore_needed():
                pass
            self._start_ready()
            if self.session and self.session.is_busy:
                self._wait()
            elif self._errors:
                raise self._joined_error()

    def executed(self, root: Step[_Result]) -> Executed[_Result]:
        """Return the outcome of the finished plan."""
        records = [(step, self._records[step]) for step in self._jobs if step in self._records]
        return Executed(
            self._results.of(root),
            self._results,
            {step: record.messages for step, record in records if record.messages},
            [warning for _, record in records for warning in record.llvm_warnings],
            tuple(self._failures),
        )

    def _look_up(self) -> None:
        """Look up every step whose inputs have outcomes; those that are not cached have to run."""
        for step, job in self._jobs.items():
            if step in self._records or step in self._to_run:
                continue
            if not all(needed in self._records for needed in step.inputs()):
                continue
            identities = {each: self._records[each].identity for each in step.inputs()}
            key = self._cache.key(job, identities)
            self._keys[step] = key
            record = self._cache.find(job, key) if key else None
            if record is None:
                self._to_run.add(step)
            else:
                self._records[step] = record
                self._options.listener.cached(job)

    def _restore_needed(self) -> bool:
        """Restore cached results that are needed; return whether more steps have to run."""
        needed = {self._root} | {each for step in self._to_run for each in step.inputs()}
        missing = {
            step
            for step in self._jobs
            if step in needed
            and step in self._records
            and step not in self._results
            and step not in self._to_run
            and not self._restore(step)
        }
        self._to_run |= missing
        return bool(missing)

    def _restore(self, step: AnyStep) -> bool:
        """Restore the result of a step from the cache; return whether that succeeded."""
        if not step.can_be_restored:
            return False

        def deserialize(content: bytes) -> tuple[Any]:
            return (step.deserialize(content, self._the_session),)

        restored = self._cache.result(self._records[step], deserialize)
        if restored is not None:
            self._results.add(step, restored[0])
        return restored is not None

    def _the_session(self) -> "BuildSession":
        """Return the session, created for the first step that has to run."""
        if self.session is None:
            make: type[BuildSession] = import_module("dovetail.driver.session").BuildSession
            self.session = make(self._root, self._options, trace=self._cache.is_used)
        return self.session

    def _start_ready(self) -> None:
        """Start, or combine at once, all waiting steps whose inputs have results."""
        waiting = [step for step in self._jobs if step in self._to_run - self._started]
        for step in [each for each in waiting if self._has_inputs(each) and self._may_start(each)]:
            self._started.add(step)
            if step.is_immediate:
                self._combine(step)
            else:
                self._the_session().start(step, self._results, serialize=self._cache.is_used)

    def _may_start(self, step: AnyStep) -> bool:
        """Whether the errors so far leave a reason to run a step.

        After a code generation error, the steps of other families still run, so that one build
        reports the errors of all of them. After an error in a source, the other compilations do,
        so that the messages do not depend on which compilation is the fastest.
        """
        errors = self._errors.values()
        if all(isinstance(error, codegen.CodeRefused) for error in errors):
            return True
        if not all(isinstance(error, CompileError | codegen.CodeRefused) for error in errors):
            return False
        return step.reads_source or any(step in u.inputs() for u in self._jobs if u.reads_source)

    def _joined_error(self) -> BaseException:
        """Return one error for all, with the messages of the steps that succeeded."""
        messages = {step: record.messages for step, record in self._records.items()}
        errors = {step: self._errors[step] for step in self._jobs if step in self._errors}
        messages |= {s: e.message for s, e in errors.items() if isinstance(e, CompileError)}
        in_order = {step: messages[step] for step in self._jobs if messages.get(step)}
        return _joined(errors, _by_source(in_order))

    def _combine(self, step: AnyStep) -> None:
        """Compute the result of an immediate step from those of its inputs."""
        result = step.combine(self._results)
        self._results.add(step, result)
        self._records[step] = StepRecord("")
        if self.session:
            self._options.listener.started(self._jobs[step])
            self._options.listener.finished(self._jobs[step], result, _NO_TIME)

    def _has_inputs(self, step: AnyStep) -> bool:
        return all(needed in self._results for needed in step.inputs())

    def _wait(self) -> None:
        """Wait until at least one started step has finished; store results and errors."""
        assert self.session
        for step, future in self.session.finished():
            error = future.exception()
            if error is not None:
                self._errors[step] = error
            else:
                self._note(step, future.result())

    def _note(self, step: AnyStep, outcome: "StepOutcome") -> None:
        """Record the outcome of a step, and cache it for later builds if possible."""
        key = self._keys.get(step)
        has_content = outcome.content is not None and step.can_be_restored
        identity = (key or "") if outcome.content is None else digest_of(outcome.content)
        if outcome.failures:
            # Not cached: the next build may succeed.
            self._failures += outcome.failures
            identity = ""
        record = StepRecord(identity, outcome.messages, outcome.llvm_warnings, has_content)
        self._records[step] = record
        self._results.add(step, outcome.result)
        are_reads_known = outcome.reads is not None or not step.needs_reads
        if key and identity and are_reads_known:
            self._cache.add(key, record, outcome.content if has_content else None, outcome.reads)


def _joined(failures: Mapping[AnyStep, BaseException], messages: Iterable[str]) -> BaseException:
    """Return one error for several: host and device compilations may both refuse a source.

    `messages` are those of all compilers. Any other kind of error takes precedence.
    """
    errors = list(failures.values())
    code_errors = [error for error in errors if isinstance(error, codegen.CodeRefused)]
    if len(code_errors) == len(errors):
        return codegen.CodeRefused.joined(code_errors)
    compile_errors = [error for error in errors if isinstance(error, CompileError)]
    if len(compile_errors) + len(code_errors) < len(errors):
        joinable = (CompileError, codegen.CodeRefused)
        return next(error for error in errors if not isinstance(error, joinable))
    hint = next((error.hint for error in compile_errors if error.hint), "")
    return CompileError(frontend.join_messages(messages), hint=hint)


def _by_source(messages: Mapping[AnyStep, str]) -> Iterator[str]:
    """Yield the messages of steps in order, those about the same source together."""
    groups: dict[object, list[str]] = {}
    for step, text in messages.items():
        groups.setdefault(step.subject() if step.reads_source else step, []).append(text)
    return chain.from_iterable(groups.values())

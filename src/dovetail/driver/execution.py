"""Carrying out what was planned: only what has to be done, each step as soon as it can be.

Steps that were done before and would come to the same again are not done. First it is found out
what is known, from the leaves on: the key of a step follows from what its inputs came to. What is
not known has to be done, and needs its inputs; only these are taken from the cache, or done in
their turn. When a step has been done, it may turn out that it made what it made before, and that
those after it are known after all.
"""

from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from dovetail.codegen import CodeFailure, CodeRefused
from dovetail.driver.actions import Action, Request
from dovetail.driver.binding import NOWHERE, Job, bind
from dovetail.driver.steps import Step, Steps, digest_of
from dovetail.driver.watching import Manner, Spent
from dovetail.driver.ways import WAYS, function
from dovetail.errors import CompileError
from dovetail.frontend import join_messages

if TYPE_CHECKING:
    # A build whose steps are all kept does nothing, and need not load what does it.
    from dovetail.driver.doing.bench import Bench, Done

_NO_TIME = Spent(0.0, 0.0, 0.0)


class Outcome(NamedTuple):
    """What came of a request."""

    artifacts: dict[Action, Any]
    """What actions made, as far as it was wanted; which type that is follows from the phase."""
    messages: dict[Action, str]
    """What clang had to say, in the order of the plan."""
    llvm_warnings: list[str]
    last: Any
    """What the last action made, which is what the request was about."""
    failures: tuple[CodeFailure, ...] = ()
    """What steps went on in spite of."""

    def warnings(self) -> str:
        """Clang's and LLVM's warnings, each once."""
        ours = (f"warning: {text}" for text in dict.fromkeys(self.llvm_warnings))
        return "\n".join(filter(None, [join_messages(self.messages.values()), *ours]))


def execute(root: Action, request: Request, manner: Manner | None = None) -> Outcome:
    """Do what `root` needs, and it; steps that are kept are taken instead, if nobody objects."""
    walk = _Walk(root, request, manner or Manner())
    try:
        walk.go()
    except BaseException:
        if walk.bench:
            walk.bench.end()
        raise
    finally:
        if walk.bench:
            walk.bench.close()
    return walk.outcome()


class _Walk:
    """How far a request has come."""

    def __init__(self, root: Action, request: Request, manner: Manner) -> None:
        self._root = root
        self._request = request
        self._manner = manner
        self._jobs = {job.action: job for job in bind(root, request, NOWHERE)}
        self._steps = Steps(request, self._jobs, use=not manner.watcher.needs_all)
        self._known: dict[Action, Step] = {}
        """What steps come to."""
        self._keys: dict[Action, str | None] = {}
        self._to_do: set[Action] = set()
        self._started: set[Action] = set()
        self._made: dict[Action, Any] = {}
        self._failures: dict[Action, BaseException] = {}
        self._overcome: list[CodeFailure] = []
        self.bench: Bench | None = None

    def go(self) -> None:
        """Until the root is made, or nothing more can be done."""
        self._manner.watcher.planned(tuple(self._jobs.values()))
        while self._root not in self._made:
            self._find_known()
            while self._take_wanted():
                pass
            self._start_what_can_be()
            if self.bench and self.bench.is_busy:
                self._wait()
            elif self._failures:
                raise _joined([self._failures[a] for a in self._jobs if a in self._failures])

    def outcome(self) -> Outcome:
        """What came of it."""
        known = [(action, self._known[action]) for action in self._jobs if action in self._known]
        return Outcome(
            self._made,
            {action: step.messages for action, step in known if step.messages},
            [warning for _, step in known for warning in step.llvm_warnings],
            self._made[self._root],
            tuple(self._overcome),
        )

    def _find_known(self) -> None:
        """Look up every step whose inputs are known; what is not there has to be done."""
        for action, job in self._jobs.items():
            if action in self._known or action in self._to_do:
                continue
            if not all(needed in self._known for needed in action.inputs):
                continue
            key = self._steps.key(job, {each: self._known[each].identity for each in action.inputs})
            self._keys[action] = key
            step = self._steps.find(job, key) if key else None
            if step is None:
                self._to_do.add(action)
            else:
                self._known[action] = step
                self._manner.watcher.kept(job)

    def _take_wanted(self) -> bool:
        """Take from the cache what is needed to go on; whether more turned out to be to do."""
        wanted = {self._root} | {needed for action in self._to_do for needed in action.inputs}
        missing: set[Action] = set()
        for action in self._jobs:
            is_there = action in self._made or action in self._to_do
            if action in wanted and action in self._known and not is_there:
                restored = self._restored(action)
                if restored is None:
                    missing.add(action)
                else:
                    (self._made[action],) = restored
        self._to_do |= missing
        return bool(missing)

    def _restored(self, action: Action) -> tuple[Any] | None:
        """Return what a step made before, from the cache; None if it has to be done for that."""
        thaw = WAYS[action.phase].thaw
        if not thaw:
            return None

        def deserialize(content: bytes) -> tuple[Any]:
            return (function(thaw)(self._jobs[action], content, self._a_bench),)

        return self._steps.restored(self._known[action], deserialize)

    def _a_bench(self) -> "Bench":
        if self.bench is None:
            make: type[Bench] = import_module("dovetail.driver.doing.bench").Bench
            self.bench = make(self._root, self._request, self._manner, trace=self._steps.are_kept)
        return self.bench

    def _start_what_can_be(self) -> None:
        # Whatever compilers refuse of one family, the others' are asked too.
        if not all(isinstance(error, CodeRefused) for error in self._failures.values()):
            return
        waiting = (a for a in self._jobs if a in self._to_do and a not in self._started)
        for action in [each for each in waiting if self._has_inputs(each)]:
            self._started.add(action)
            inputs = [self._made[needed] for needed in action.inputs]
            way = WAYS[action.phase]
            if way.at_once:
                self._do_at_once(self._jobs[action], inputs)
            else:
                self._a_bench().start(action, inputs, freeze=self._steps.are_kept)

    def _do_at_once(self, job: Job, inputs: Sequence[Any]) -> None:
        made = function(WAYS[job.action.phase].do)(job, inputs)
        self._made[job.action], self._known[job.action] = made, Step("")
        if self.bench:
            self._manner.watcher.started(job)
            self._manner.watcher.finished(job, made, _NO_TIME)

    def _has_inputs(self, action: Action) -> bool:
        return all(needed in self._made for needed in action.inputs)

    def _wait(self) -> None:
        assert self.bench
        for action, future in self.bench.finished():
            error = future.exception()
            if error is not None:
                self._failures[action] = error
            else:
                self._note(action, future.result())

    def _note(self, action: Action, done: "Done") -> None:
        """A step was done: what it came to, for those that follow and for later builds."""
        key = self._keys.get(action)
        has_content = done.content is not None and bool(WAYS[action.phase].thaw)
        identity = (key or "") if done.content is None else digest_of(done.content)
        if done.failures:
            # The next time it may come to more.
            self._overcome += done.failures
            identity = ""
        step = Step(identity, done.messages, done.llvm_warnings, has_content)
        self._known[action] = step
        self._made[action] = done.made
        is_told = done.reads is not None or not WAYS[action.phase].reads
        if key and identity and is_told:
            self._steps.keep(key, step, done.content if has_content else None, done.reads)


def _joined(failures: Sequence[BaseException]) -> BaseException:
    """Both sides of a program refuse the same source, and so do compilers of several families.

    Their messages become one error.
    """
    of_code = [error for error in failures if isinstance(error, CodeRefused)]
    if len(of_code) == len(failures):
        return CodeRefused.joined(of_code)
    refused = [error for error in failures if isinstance(error, CompileError)]
    if len(refused) + len(of_code) < len(failures):
        both = (CompileError, CodeRefused)
        return next(error for error in failures if not isinstance(error, both))
    hint = next((error.hint for error in refused if error.hint), "")
    return CompileError(join_messages(error.message for error in refused), hint=hint)

"""Ask the compilers all questions about all targets in parallel, and compare with the table.

A *control* is a kernel that a compiler must refuse, such as one for hardware without the feature.
An answer to a question counts only if the compiler has refused the question's control, or the
question about some target: otherwise it may not check the feature at all.
"""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from typing import TypeAlias

from dovetail.errors import DovetailError
from dovetail.probe import amdgpu, ocloc, opencl_cpu, ptxas
from dovetail.probe.compiler import Answer, AnswerKind, Compiler, FindCompilers
from dovetail.probe.questions import Question, questions_for
from dovetail.probe.report import Cell, Obstacle, ProbeOutcome, Report, compare, listed
from dovetail.targets import Table, Target

TOOLCHAINS: dict[str, FindCompilers] = {
    "ocloc": ocloc.find,
    "ptxas": ptxas.find,
    "amdgpu": amdgpu.find,
    "opencl-aot": opencl_cpu.find,
}
"""The probed compilers by toolchain, as in the table of targets."""

OnProgress: TypeAlias = Callable[[int, int], None]
"""Called in the caller's thread with the number of finished kernels and of all."""

_Found: TypeAlias = Sequence[Compiler] | DovetailError
_Control: TypeAlias = tuple[str, Question]
"""The compiler's name and the question."""


@dataclass(frozen=True)
class _Reply:
    """An answer and the name of the compiler that gave it."""

    answer: Answer
    compiler: str


def run(
    table: Table,
    names: Iterable[str] = (),
    *,
    jobs: int | None = None,
    on_progress: OnProgress | None = None,
    toolchains: Mapping[str, FindCompilers] = TOOLCHAINS,
) -> Report:
    """Probe these targets, aliases or groups, or all targets; raise `UsageError` for unknown names.

    Controls are always compiled, since they show which answers count.
    """
    listed = [table[name] for name in table.expand(names)]
    targets = list({target.name: target for target in listed}.values()) or list(table)
    found = {
        toolchain: _find(toolchains[toolchain])
        for toolchain in dict.fromkeys(target.toolchain for target in targets)
        if toolchain in toolchains
    }
    asked = [(target, question) for target in targets for question in questions_for(target)]
    replies, controls = _ask_all(asked, found, jobs, on_progress)
    refused = {control for control, answer in controls.items() if answer.kind is AnswerKind.REFUSED}
    refused |= {
        (reply.compiler, question)
        for (_, question), reply in replies.items()
        if reply.answer.kind is AnswerKind.REFUSED
    }
    return Report(
        tuple(
            _cell(target, question, replies.get((target.name, question)), found, refused)
            for target, question in asked
        )
    )


def _find(find: FindCompilers) -> _Found:
    """Return the compilers, or the error that says why there are none."""
    try:
        return find()
    except DovetailError as missing:
        return missing


def _ask_all(
    asked: Sequence[tuple[Target, Question]],
    found: Mapping[str, _Found],
    jobs: int | None,
    on_progress: OnProgress | None,
) -> tuple[dict[tuple[str, Question], _Reply], dict[_Control, Answer]]:
    """Return the answers by target's name and question, and those to the controls.

    Questions about targets whose compilers are missing or cannot be probed have no answer.
    """
    installed = {
        toolchain: compilers
        for toolchain, compilers in found.items()
        if not isinstance(compilers, DovetailError)
    }
    with ThreadPoolExecutor(jobs or os.cpu_count() or 1) as pool:
        controls = {
            (compiler.name, question): pool.submit(_ask_control, compiler, question)
            for toolchain, compilers in installed.items()
            for question in _questions_of(toolchain, asked)
            for compiler in compilers
        }
        replies = {
            (target.name, question): pool.submit(_ask, compilers, target, question)
            for target, question in asked
            if (compilers := installed.get(target.toolchain)) is not None
        }
        _wait_for_all([*controls.values(), *replies.values()], on_progress)
    return (
        {key: future.result() for key, future in replies.items()},
        {key: future.result() for key, future in controls.items()},
    )


def _questions_of(toolchain: str, asked: Sequence[tuple[Target, Question]]) -> list[Question]:
    return list(dict.fromkeys(q for target, q in asked if target.toolchain == toolchain))


def _wait_for_all(
    futures: "Sequence[Future[_Reply] | Future[Answer]]", on_progress: OnProgress | None
) -> None:
    """Wait for all, and report progress; if one raises, cancel those not started and re-raise."""
    try:
        for done, future in enumerate(as_completed(futures), start=1):
            future.result()
            if on_progress:
                on_progress(done, len(futures))
    except BaseException:
        for future in futures:
            future.cancel()
        raise


def _ask(compilers: Sequence[Compiler], target: Target, question: Question) -> _Reply:
    """Return the answer of the first compiler that knows the target."""
    answer = Answer(AnswerKind.UNKNOWN_TARGET)
    for compiler in compilers:
        try:
            answer = compiler.ask(target, question)
        except DovetailError as failure:
            answer = Answer(AnswerKind.FAILED, failure.message)
        if answer.kind is not AnswerKind.UNKNOWN_TARGET:
            return _Reply(answer, compiler.name)
    return _Reply(answer, ", ".join(compiler.name for compiler in compilers))


def _ask_control(compiler: Compiler, question: Question) -> Answer:
    """Return the answer to the control for a question; `FAILED` if there is none."""
    try:
        answer = compiler.ask_control(question)
    except DovetailError as failure:
        return Answer(AnswerKind.FAILED, failure.message)
    return answer or Answer(AnswerKind.FAILED, "there is no control")


def _cell(
    target: Target,
    question: Question,
    reply: _Reply | None,
    found: Mapping[str, _Found],
    refused: set[_Control],
) -> Cell:
    verdict = listed(target, question)
    answer = reply.answer.kind if reply else None
    compiler = reply.compiler if reply else ""
    counts = answer in {AnswerKind.ACCEPTED, AnswerKind.REFUSED}
    if answer and counts and (compiler, question) in refused:
        outcome = compare(verdict, answer)
        return Cell(target.name, question, verdict, outcome, answer, compiler)
    obstacle, reason = _obstacle(target, reply, found)
    outcome = ProbeOutcome.INCONCLUSIVE
    return Cell(target.name, question, verdict, outcome, answer, compiler, obstacle, reason)


def _obstacle(
    target: Target, reply: _Reply | None, found: Mapping[str, _Found]
) -> tuple[Obstacle, str]:
    """Return why there is no answer that counts."""
    if not target.toolchain:
        return Obstacle.NOT_ONE_DEVICE, "its entry names no ahead-of-time compiler"
    missing = found.get(target.toolchain)
    if isinstance(missing, DovetailError):
        return Obstacle.COMPILER_MISSING, str(missing)
    if reply is None:
        reason = f"the toolchain of its entry, '{target.toolchain}', cannot be probed"
        return Obstacle.TOOLCHAIN_UNKNOWN, reason
    if reply.answer.kind is AnswerKind.NO_DEVICE:
        reason = f"its entry names no device for {reply.compiler}: options '{target.options}'"
        return Obstacle.NOT_ONE_DEVICE, reason
    if reply.answer.kind is AnswerKind.UNKNOWN_TARGET:
        reason = f"{reply.compiler} does not know it: {reply.answer.text}"
        return Obstacle.TARGET_UNKNOWN, reason
    if reply.answer.kind is AnswerKind.FAILED:
        return Obstacle.NO_ANSWER, f"{reply.compiler} gave no answer: {reply.answer.text}"
    reason = f"{reply.compiler} refused it for no target and no control, so a yes is not evidence"
    return Obstacle.NEVER_REFUSED, reason

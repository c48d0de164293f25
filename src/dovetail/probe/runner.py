"""Asking all questions of all targets, on all cores, and comparing the answers with the table."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from typing import TypeAlias

from dovetail.errors import DovetailError
from dovetail.probe import amdgpu, ocloc, opencl_cpu, ptxas
from dovetail.probe.compiler import Answer, Compiler, FindCompilers, Said
from dovetail.probe.questions import Question, questions_for
from dovetail.probe.report import Cell, Obstacle, ProbeOutcome, Report, compare, listed
from dovetail.targets import Table, Target

TOOLCHAINS: dict[str, FindCompilers] = {
    "ocloc": ocloc.find,
    "ptxas": ptxas.find,
    "amdgpu": amdgpu.find,
    "opencl-aot": opencl_cpu.find,
}
"""Which compilers answer for the toolchains that the device table names."""

OnProgress: TypeAlias = Callable[[int, int], None]
"""Called with the number of kernels that are done and of all, in the caller's thread."""

_Found: TypeAlias = Sequence[Compiler] | DovetailError
_Control: TypeAlias = tuple[str, Question]
"""The compiler's name and the question."""


@dataclass(frozen=True)
class _Reply:
    """What was said of one question about one target, and by whom."""

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
    """Ask about these targets, aliases or groups, or about all; `UsageError` for an unknown name.

    Controls are always asked, also if one target is named: they tell which answers count.
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
    refused = {control for control, answer in controls.items() if answer.said is Said.NO}
    refused |= {
        (reply.compiler, question)
        for (_, question), reply in replies.items()
        if reply.answer.said is Said.NO
    }
    return Report(
        tuple(
            _cell(target, question, replies.get((target.name, question)), found, refused)
            for target, question in asked
        )
    )


def _find(find: FindCompilers) -> _Found:
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
    """Every answer that there is a compiler for, and what was said of the controls."""
    installed = {name: each for name, each in found.items() if not isinstance(each, DovetailError)}
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
        _watch([*controls.values(), *replies.values()], on_progress)
    return (
        {key: future.result() for key, future in replies.items()},
        {key: future.result() for key, future in controls.items()},
    )


def _questions_of(toolchain: str, asked: Sequence[tuple[Target, Question]]) -> list[Question]:
    return list(dict.fromkeys(q for target, q in asked if target.toolchain == toolchain))


def _watch(
    futures: "Sequence[Future[_Reply] | Future[Answer]]", on_progress: OnProgress | None
) -> None:
    """Wait for all; what one raises is raised here, and what is not begun is dropped then."""
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
    """The answer of the first compiler that knows the target."""
    answer = Answer(Said.UNKNOWN_TARGET)
    for compiler in compilers:
        try:
            answer = compiler.ask(target, question)
        except DovetailError as failure:
            answer = Answer(Said.NOTHING, failure.message)
        if answer.said is not Said.UNKNOWN_TARGET:
            return _Reply(answer, compiler.name)
    return _Reply(answer, ", ".join(compiler.name for compiler in compilers))


def _ask_control(compiler: Compiler, question: Question) -> Answer:
    try:
        answer = compiler.ask_control(question)
    except DovetailError as failure:
        return Answer(Said.NOTHING, failure.message)
    return answer or Answer(Said.NOTHING, "there is no control")


def _cell(
    target: Target,
    question: Question,
    reply: _Reply | None,
    found: Mapping[str, _Found],
    refused: set[_Control],
) -> Cell:
    verdict = listed(target, question)
    said = reply.answer.said if reply else None
    compiler = reply.compiler if reply else ""
    if reply and (reply.compiler, question) in refused and reply.answer.said in {Said.YES, Said.NO}:
        outcome = compare(verdict, reply.answer.said)
        return Cell(target.name, question, verdict, outcome, said, compiler)
    obstacle, reason = _obstacle(target, reply, found)
    outcome = ProbeOutcome.CANNOT_BE_ASKED
    return Cell(target.name, question, verdict, outcome, said, compiler, obstacle, reason)


def _obstacle(
    target: Target, reply: _Reply | None, found: Mapping[str, _Found]
) -> tuple[Obstacle, str]:
    """Why there is no answer, or none that counts."""
    if not target.toolchain:
        return Obstacle.NOT_ONE_DEVICE, "its entry names no ahead-of-time compiler"
    missing = found.get(target.toolchain)
    if isinstance(missing, DovetailError):
        return Obstacle.COMPILER_MISSING, str(missing)
    if reply is None:
        reason = f"the toolchain that its entry names, '{target.toolchain}', cannot be probed"
        return Obstacle.TOOLCHAIN_UNKNOWN, reason
    if reply.answer.said is Said.NOT_ASKED:
        reason = f"its entry names no device for {reply.compiler}: options '{target.options}'"
        return Obstacle.NOT_ONE_DEVICE, reason
    if reply.answer.said is Said.UNKNOWN_TARGET:
        reason = f"{reply.compiler} does not know it: {reply.answer.text}"
        return Obstacle.TARGET_UNKNOWN, reason
    if reply.answer.said is Said.NOTHING:
        return Obstacle.NO_ANSWER, f"{reply.compiler} gave no answer: {reply.answer.text}"
    reason = f"{reply.compiler} refused it for no target and no control, so its yes says nothing"
    return Obstacle.NEVER_REFUSED, reason

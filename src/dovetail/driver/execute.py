"""Doing the jobs: each as soon as what it needs is there, as many at a time as there are cores."""

import os
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Any, cast

from dovetail.analysis import (
    Analysis,
    Finding,
    SourceLines,
    message_text,
    read_warning_words,
)
from dovetail.artifacts import CompiledImage, DeviceImage, DeviceModule
from dovetail.codegen.spirv import emit_spirv, validate_spirv
from dovetail.driver.actions import Action, Phase
from dovetail.driver.bind import Job
from dovetail.errors import CompileError
from dovetail.facts import Facts, parse_facts
from dovetail.files import read_bytes, require_utf8_name
from dovetail.frontend import (
    Source,
    join_messages,
    load_device_module,
    load_facts,
    precompile_input,
    run_clang,
    store_bodies,
    store_precompiled,
)
from dovetail.image.executable import Executable
from dovetail.ir import Context, parse_untrusted
from dovetail.package import library_source, package_executable, package_program
from dovetail.passes import PassContext, parse_pipeline, run_pipeline
from dovetail.postlink import (
    PostLinked,
    find_between_sources,
    link_modules,
    refuse_undefined,
    refuse_variables,
)

Listener = Callable[[Job], None]
"""Told of each job before it starts."""


@dataclass
class Outcome:
    """What came of the jobs."""

    artifacts: dict[Action, Any] = field(default_factory=dict[Action, Any])
    """What each action made; which type that is follows from its phase."""
    messages: dict[Action, str] = field(default_factory=dict[Action, str])
    """What clang had to say."""
    last: Any = None
    """What the last action made, which is what the request was about."""

    llvm_warnings: list[str] = field(default_factory=list[str])

    def warnings(self) -> str:
        """Clang's and LLVM's warnings, each once."""
        ours = (f"warning: {text}" for text in dict.fromkeys(self.llvm_warnings))
        return "\n".join(filter(None, [join_messages(self.messages.values()), *ours]))


def execute(jobs: Sequence[Job], listener: Listener = lambda job: None) -> Outcome:
    """Do the jobs; the last of them is what the others are for."""
    outcome = Outcome()
    context = Context()
    waiting = list(jobs)
    running: dict[Future[Any], Job] = {}
    failures: list[tuple[Job, BaseException]] = []
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        while waiting or running:
            for job in [] if failures else _ready(waiting, outcome):
                waiting.remove(job)
                listener(job)
                inputs = [outcome.artifacts[needed] for needed in job.action.inputs]
                running[pool.submit(_DO[job.action.phase], job, context, inputs, outcome)] = job
            if not running:
                break
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                job = running.pop(future)
                error = future.exception()
                if error is not None:
                    failures.append((job, error))
                else:
                    outcome.artifacts[job.action] = future.result()
    if failures:
        raise _joined([error for _, error in sorted(failures, key=lambda f: jobs.index(f[0]))])
    outcome.llvm_warnings = context.take_warnings()
    outcome.last = outcome.artifacts[jobs[-1].action]
    return outcome


def _ready(waiting: Sequence[Job], outcome: Outcome) -> list[Job]:
    return [job for job in waiting if all(a in outcome.artifacts for a in job.action.inputs)]


def _joined(failures: Sequence[BaseException]) -> BaseException:
    """Both sides of a program refuse the same source; their messages become one error."""
    refused = [error for error in failures if isinstance(error, CompileError)]
    if len(refused) < len(failures):
        return next(error for error in failures if not isinstance(error, CompileError))
    hint = next((error.hint for error in refused if error.hint), "")
    return CompileError(join_messages(error.message for error in refused), hint=hint)


def _precompile(job: Job, context: Context, inputs: list[Any], outcome: Outcome) -> None:
    assert job.action.header
    made, dependencies = job.outputs
    run_clang(job.command, precompile_input())
    store_precompiled(job.action.header, made, dependencies)


def _compile_bodies(job: Job, context: Context, inputs: list[Any], outcome: Outcome) -> None:
    assert job.action.header
    made, dependencies = job.outputs
    run_clang(job.command, precompile_input())
    store_bodies(job.action.header, made, dependencies)


def _clang(job: Job, outcome: Outcome) -> None:
    source = job.action.source
    text = b"" if source is None or source.is_file else source.text.encode()
    messages = run_clang(job.command, text)
    if messages:
        outcome.messages[job.action] = messages


def _compile(job: Job, context: Context, inputs: list[Any], outcome: Outcome) -> DeviceModule:
    source = job.action.source
    assert source
    _clang(job, outcome)
    device = load_device_module(context, source.path, *job.outputs)
    findings = Analysis.of([device.facts]).findings()
    _report(findings, job.action, outcome, [source])
    return device


def _report(
    findings: Sequence[Finding], action: Action, outcome: Outcome, sources: Sequence[Source]
) -> None:
    """Keep warnings with clang's; `CompileError` with everything if one of them is an error."""
    options = read_warning_words(action.warnings)
    lines = SourceLines({source.path: source.text for source in sources if not source.is_file})
    texts = [outcome.messages.get(action, "")]
    texts += [message_text(finding, options, lines) for finding in findings]
    messages = "\n".join(filter(None, texts))
    errors = [finding for finding in findings if options.level(finding.rule) == "error"]
    if errors:
        raise CompileError(messages, hint=errors[0].rule.advice or errors[0].rule.help)
    if messages:
        outcome.messages[action] = messages


def _check(job: Job, context: Context, inputs: list[Any], outcome: Outcome) -> Facts | CompileError:
    """A source that does not compile is no reason to leave the others alone."""
    assert job.action.source
    try:
        _clang(job, outcome)
    except CompileError as error:
        return error
    return load_facts(job.action.source.path, job.outputs[0])


def _analyze(job: Job, context: Context, inputs: list[Any], outcome: Outcome) -> Analysis:
    return Analysis.of(
        [facts for facts in cast(list[Facts | CompileError], inputs) if isinstance(facts, Facts)]
    )


def _compile_host(job: Job, context: Context, inputs: list[Any], outcome: Outcome) -> None:
    _clang(job, outcome)


def _link_host(job: Job, context: Context, inputs: list[Any], outcome: Outcome) -> bytes:
    _clang(job, outcome)
    return job.outputs[0].read_bytes()


def _read(job: Job, context: Context, inputs: list[Any], outcome: Outcome) -> DeviceModule:
    _, path, *facts_path = job.command
    require_utf8_name(path)
    data = sys.stdin.buffer.read() if path == "-" else read_bytes(path)
    facts = parse_facts(read_bytes(facts_path[0])) if facts_path else Facts()
    return DeviceModule(parse_untrusted(data, path, context), facts)


def _run_passes(job: Job, context: Context, inputs: list[Any], outcome: Outcome) -> DeviceModule:
    (device,) = cast(list[DeviceModule], inputs)
    run_pipeline(parse_pipeline(job.action.pipeline), PassContext(device.facts), device.module)
    return device


def _post_link(
    job: Job, context: Context, inputs: list[Any], outcome: Outcome
) -> list[DeviceImage]:
    linked = link_modules(cast(list[DeviceModule], inputs))
    refuse_undefined(linked)
    program = PostLinked.of(linked, job.action.split)
    _report(find_between_sources(linked, program.used), job.action, outcome, [])
    images = list(program.images())
    for image in images:
        refuse_variables(image)
    return images


def _generate(
    job: Job, context: Context, inputs: list[Any], outcome: Outcome
) -> list[CompiledImage]:
    (images,) = cast(list[list[DeviceImage]], inputs)
    compiled: list[CompiledImage] = []
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        checks: list[Future[None]] = []
        for image in images:
            compiled.append(emit_spirv(image))
            checks.append(pool.submit(validate_spirv, compiled[-1]))
        for check in checks:
            check.result()
    return compiled


def _package(job: Job, context: Context, inputs: list[Any], outcome: Outcome) -> bytes:
    (compiled,) = cast(list[list[CompiledImage]], inputs)
    return package_program(compiled)


def _embed(job: Job, context: Context, inputs: list[Any], outcome: Outcome) -> None:
    (program,) = cast(list[bytes], inputs)
    _, file = job.outputs
    file.write_bytes(program)
    run_clang(job.command, library_source(file))


def _make_executable(job: Job, context: Context, inputs: list[Any], outcome: Outcome) -> bytes:
    program, library = cast(list[bytes], inputs)
    return package_executable(Executable(program, library))


def _start(job: Job, context: Context, inputs: list[Any], outcome: Outcome) -> tuple[bytes, bytes]:
    """Program and host library; whoever asked starts them, in a process that may not come back."""
    program, library = cast(list[bytes], inputs)
    return program, library


_DO: dict[Phase, Callable[[Job, Context, list[Any], Outcome], Any]] = {
    Phase.PRECOMPILE: _precompile,
    Phase.BODIES: _compile_bodies,
    Phase.COMPILE: _compile,
    Phase.CHECK: _check,
    Phase.ANALYZE: _analyze,
    Phase.COMPILE_HOST: _compile_host,
    Phase.LINK_HOST: _link_host,
    Phase.READ: _read,
    Phase.PASSES: _run_passes,
    Phase.POST_LINK: _post_link,
    Phase.GENERATE: _generate,
    Phase.PACKAGE: _package,
    Phase.EMBED: _embed,
    Phase.EXECUTABLE: _make_executable,
    Phase.START: _start,
}

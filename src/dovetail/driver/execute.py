"""Doing the jobs: each as soon as what it needs is there, as many at a time as there are cores."""

import os
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from dovetail.analysis import (
    Analysis,
    Finding,
    SourceLines,
    message_text,
    read_warning_words,
)
from dovetail.artifacts import CompiledImage, DeviceImage, DeviceModule
from dovetail.codegen import InvalidCode
from dovetail.driver.actions import Action, Phase
from dovetail.driver.bind import Job
from dovetail.driver.objects import Wanted, gather, merged_dependencies, section_of
from dovetail.driver.slots import InTurn, Slots, all_cores
from dovetail.driver.target_code import (
    TargetImages,
    compiled_images,
    filter_images,
    generate_code,
    group_targets,
)
from dovetail.driver.watching import Manner, Stopwatch, Watcher
from dovetail.errors import CompileError
from dovetail.facts import Facts, parse_facts
from dovetail.files import read_bytes, require_utf8_name
from dovetail.frontend import (
    Source,
    Tools,
    headers_can_be_stored,
    join_messages,
    load_device_module,
    load_facts,
    precompile_input,
    store_bodies,
    store_precompiled,
)
from dovetail.image.device_section import write_device_section
from dovetail.image.executable import Executable
from dovetail.ir import Context, parse_untrusted
from dovetail.package import library_source, package_executable, package_program
from dovetail.passes import PassContext, parse_pipeline, run_pipeline
from dovetail.postlink import (
    PostLinked,
    find_between_sources,
    link_modules,
    refuse_calls_between,
    refuse_undefined,
    refuse_variables,
)


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
    tools: Tools = field(default_factory=Tools)
    """Through which all programs are started."""
    watcher: Watcher = field(default_factory=Watcher)
    slots: Slots = field(default_factory=lambda: Slots(all_cores()))

    def warnings(self) -> str:
        """Clang's and LLVM's warnings, each once."""
        ours = (f"warning: {text}" for text in dict.fromkeys(self.llvm_warnings))
        return "\n".join(filter(None, [join_messages(self.messages.values()), *ours]))


def execute(jobs: Sequence[Job], manner: Manner | None = None) -> Outcome:
    """Do the jobs; the last of them is what the others are for."""
    manner = manner or Manner()
    outcome = Outcome(watcher=manner.watcher, slots=Slots(manner.at_once))
    context = Context()
    outcome.watcher.planned(jobs)
    with ThreadPoolExecutor(manner.at_once) as pool:
        try:
            failures = _do_all(jobs, context, outcome, pool)
        except BaseException:
            # Above all someone who does not want to wait any more.
            outcome.tools.end()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    if failures:
        raise _joined([error for _, error in sorted(failures, key=lambda f: jobs.index(f[0]))])
    outcome.llvm_warnings = context.take_warnings()
    outcome.last = outcome.artifacts[jobs[-1].action]
    return outcome


def _do_all(
    jobs: Sequence[Job],
    context: Context,
    outcome: Outcome,
    pool: ThreadPoolExecutor,
) -> list[tuple[Job, BaseException]]:
    """Do what can be done; what failed, and why."""
    waiting = list(jobs)
    running: dict[Future[Any], Job] = {}
    failures: list[tuple[Job, BaseException]] = []
    while waiting or running:
        for job in [] if failures else _ready(waiting, outcome):
            waiting.remove(job)
            inputs = [outcome.artifacts[needed] for needed in job.action.inputs]
            running[pool.submit(_do, job, context, inputs, outcome)] = job
        if not running:
            break
        for future in wait(running, return_when=FIRST_COMPLETED).done:
            job = running.pop(future)
            error = future.exception()
            if error is not None:
                failures.append((job, error))
            else:
                outcome.artifacts[job.action] = future.result()
    return failures


def _do(job: Job, context: Context, inputs: list[Any], outcome: Outcome) -> Any:
    """Do one job in its turn, watched."""
    with outcome.slots.held():
        outcome.watcher.started(job)
        stopwatch = Stopwatch(job, outcome.tools)
        made = _DO[job.action.phase](job, context, inputs, outcome)
        outcome.watcher.finished(job, made, stopwatch.spent())
    return made


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
    # Without a place to keep it nobody takes it; only its bodies are wanted.
    if headers_can_be_stored():
        made, dependencies = job.outputs
        outcome.tools.run(job.command, precompile_input())
        store_precompiled(job.action.header, made, dependencies)


def _compile_bodies(job: Job, context: Context, inputs: list[Any], outcome: Outcome) -> None:
    assert job.action.header
    made, dependencies = job.outputs
    outcome.tools.run(job.command, precompile_input())
    outcome.tools.run(job.then)
    if headers_can_be_stored():
        store_bodies(job.action.header, made, dependencies)


def _clang(job: Job, outcome: Outcome) -> None:
    source = job.action.source
    text = b"" if source is None or source.is_file else source.text.encode()
    messages = outcome.tools.run(job.command, text).messages
    if messages:
        outcome.messages[job.action] = messages


def _compile(job: Job, context: Context, inputs: list[Any], outcome: Outcome) -> DeviceModule:
    source = job.action.source
    assert source
    _clang(job, outcome)
    bitcode, facts, *_ = job.outputs
    prefix = job.action.unique_prefix
    device = load_device_module(context, source.path, bitcode, facts, prefix)
    findings = Analysis.of([device.facts]).findings(job.action.fixed_targets)
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
    return load_facts(job.outputs[0], job.action.unique_prefix)


def _analyze(job: Job, context: Context, inputs: list[Any], outcome: Outcome) -> Analysis:
    return Analysis.of(
        [facts for facts in cast(list[Facts | CompileError], inputs) if isinstance(facts, Facts)]
    )


def _compile_host(job: Job, context: Context, inputs: list[Any], outcome: Outcome) -> None:
    _clang(job, outcome)


@dataclass(frozen=True)
class HostLibrary:
    """The host's side, linked."""

    content: bytes
    taken: frozenset[str] = frozenset()
    """What the linker took, if it was asked: files, and members as `archive(member)`."""


def _link_host(job: Job, context: Context, inputs: list[Any], outcome: Outcome) -> HostLibrary:
    made = outcome.tools.run(job.command)
    if made.messages:
        outcome.messages[job.action] = made.messages
    taken = made.output.decode(errors="surrogateescape").splitlines()
    return HostLibrary(job.outputs[0].read_bytes(), frozenset(taken))


def _check_syntax(job: Job, context: Context, inputs: list[Any], outcome: Outcome) -> None:
    _clang(job, outcome)


def _make_object(
    job: Job, context: Context, inputs: list[Any], outcome: Outcome
) -> dict[Path, bytes]:
    """The object, with a section for device code if there is any; and its dependency file."""
    assert job.action.output
    _, *modules = cast(list[DeviceModule], inputs)
    compiled, *dependencies = job.inputs
    made, section_file = job.outputs
    section = section_of(modules, job.action.bodies, job.action.targets)
    if section:
        section_file.write_bytes(write_device_section(section))
        outcome.tools.run(job.command)
    files = {job.action.output: (made if section else compiled).read_bytes()}
    if dependencies:
        wanted = job.action.dependencies
        path = wanted.path(os.fspath(job.action.output))
        files[path] = merged_dependencies(dependencies, wanted)
    return files


def _collect_files(
    job: Job, context: Context, inputs: list[Any], outcome: Outcome
) -> dict[Path, bytes]:
    """What is to be written, all of it or nothing."""
    files: dict[Path, bytes] = {}
    for made in cast(list[dict[Path, bytes] | None], inputs):
        files |= made or {}
    return files


def _gather(job: Job, context: Context, inputs: list[Any], outcome: Outcome) -> list[DeviceModule]:
    sources = [each for each in inputs if isinstance(each, DeviceModule)]
    taken = [name for each in inputs if isinstance(each, HostLibrary) for name in each.taken]
    wanted = Wanted(job.action.family, tuple(target.name for target in job.action.targets))
    return gather(job.action.objects, taken, sources, context, wanted)


def _read(job: Job, context: Context, inputs: list[Any], outcome: Outcome) -> DeviceModule:
    _, path, *facts_path = job.command
    require_utf8_name(path)
    data = sys.stdin.buffer.read() if path == "-" else read_bytes(path)
    facts = parse_facts(read_bytes(facts_path[0])) if facts_path else Facts()
    return DeviceModule(parse_untrusted(data, path, context), facts)


def _run_passes(job: Job, context: Context, inputs: list[Any], outcome: Outcome) -> DeviceModule:
    (device,) = cast(list[DeviceModule], inputs)
    context_of_passes = PassContext(device.facts, job.action.unique_prefix)
    run_pipeline(parse_pipeline(job.action.pipeline), context_of_passes, device.module)
    return device


def _refuse_calls(job: Job, context: Context, inputs: list[Any], outcome: Outcome) -> None:
    refuse_calls_between(_groups(inputs))


def _groups(inputs: Sequence[Any]) -> list[list[DeviceModule]]:
    """The modules of each input that has some: a source has one, objects may have more."""
    made = cast(Sequence[DeviceModule | list[DeviceModule] | None], inputs)
    return [each if isinstance(each, list) else [each] for each in made if each is not None]


def _post_link(
    job: Job, context: Context, inputs: list[Any], outcome: Outcome
) -> list[DeviceImage]:
    modules = [device for group in _groups(inputs) for device in group]
    if not modules:
        return []
    linked = link_modules(modules)
    refuse_undefined(linked)
    outcome.watcher.made_meanwhile(job, linked)
    program = PostLinked.of(linked, job.action.split)
    findings = find_between_sources(linked, program.used, job.action.fixed_targets)
    _report(findings, job.action, outcome, [])
    images = list(program.images())
    for image in images:
        refuse_variables(image)
    return images


def _filter(job: Job, context: Context, inputs: list[Any], outcome: Outcome) -> TargetImages:
    (images,) = cast(list[list[DeviceImage]], inputs)
    assert job.action.target
    return filter_images(images, job.action.target)


def _generate(
    job: Job, context: Context, inputs: list[Any], outcome: Outcome
) -> list[CompiledImage]:
    images = cast(list[DeviceImage], inputs[0])
    groups = group_targets(cast(list[TargetImages], inputs[1:]), job.action.family)
    slots = outcome.slots
    with ThreadPoolExecutor(slots.count) as pool:
        compilers = InTurn(pool, slots)
        try:
            code = [generate_code(images, group, compilers, slots.lent()) for group in groups]
        except InvalidCode as error:
            outcome.watcher.made_meanwhile(job, error)
            raise
    return compiled_images(images, code, [target.name for target in job.action.fixed_targets])


def _package(job: Job, context: Context, inputs: list[Any], outcome: Outcome) -> bytes:
    linked_apart = cast(list[list[CompiledImage]], inputs)
    return package_program(image for images in linked_apart for image in images)


def _embed(job: Job, context: Context, inputs: list[Any], outcome: Outcome) -> None:
    (program,) = cast(list[bytes], inputs)
    _, file = job.outputs
    file.write_bytes(program)
    outcome.tools.run(job.command, library_source(file))


def _make_executable(job: Job, context: Context, inputs: list[Any], outcome: Outcome) -> bytes:
    program, library = cast(tuple[bytes, HostLibrary], inputs)
    return package_executable(Executable(program, library.content))


def _start(job: Job, context: Context, inputs: list[Any], outcome: Outcome) -> tuple[bytes, bytes]:
    """Program and host library; whoever asked starts them, in a process that may not come back."""
    program, library = cast(tuple[bytes, HostLibrary], inputs)
    return program, library.content


_DO: dict[Phase, Callable[[Job, Context, list[Any], Outcome], Any]] = {
    Phase.PRECOMPILE: _precompile,
    Phase.BODIES: _compile_bodies,
    Phase.COMPILE: _compile,
    Phase.CHECK: _check,
    Phase.ANALYZE: _analyze,
    Phase.COMPILE_HOST: _compile_host,
    Phase.SYNTAX: _check_syntax,
    Phase.SYNTAX_HOST: _check_syntax,
    Phase.OBJECT: _make_object,
    Phase.FILES: _collect_files,
    Phase.LINK_HOST: _link_host,
    Phase.RESOLVE: _link_host,
    Phase.GATHER: _gather,
    Phase.READ: _read,
    Phase.PASSES: _run_passes,
    Phase.APART: _refuse_calls,
    Phase.POST_LINK: _post_link,
    Phase.FILTER: _filter,
    Phase.GENERATE: _generate,
    Phase.PACKAGE: _package,
    Phase.EMBED: _embed,
    Phase.EXECUTABLE: _make_executable,
    Phase.START: _start,
}

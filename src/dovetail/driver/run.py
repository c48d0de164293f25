"""Plan and execute requests, or return their plans for display: the entry points for commands."""

import os
import stat
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from dovetail import frontend
from dovetail.driver.execution import Executed, execute
from dovetail.driver.job_listener import ExecutionOptions
from dovetail.driver.planner import (
    plan_build,
    plan_check,
    plan_executable,
    plan_objects,
    plan_passes,
    plan_start,
)
from dovetail.driver.requests import (
    BuildRequest,
    CheckRequest,
    CompileRequest,
    Headers,
    ObjectRequest,
    PassRequest,
    Request,
    RunRequest,
)
from dovetail.driver.step import AnyStep, Job, Step, jobs_of
from dovetail.errors import CompileError, InputError, UsageError
from dovetail.files import STREAM, StagedFiles, write_atomically
from dovetail.frontend import (
    Flags,
    Side,
    Source,
    headers_can_be_stored,
    precompiled_header,
)
from dovetail.targets.ir_family import by_ir_family

if TYPE_CHECKING:
    from dovetail.analysis import Analysis
    from dovetail.codegen import CodeFailure
    from dovetail.ir import Module


_Result = TypeVar("_Result")


class Built(NamedTuple):
    """A built program, with clang's warnings."""

    program: bytes
    warnings: str
    host_library: bytes = b""
    """The host side as a shared object, if the program is to be run now."""
    failures: "tuple[CodeFailure, ...]" = ()
    """Failures that did not stop the build."""


def build_program(request: BuildRequest, options: ExecutionOptions | None = None) -> Built:
    """Build a device program, and write it to the request's output if it has one."""
    done = _execute(plan_build(request, _headers_for(request)), request, options)
    if request.output:
        _write(request.output, done.result)
    return Built(done.result, done.warnings(), failures=done.failures)


def build_executable(request: RunRequest, options: ExecutionOptions | None = None) -> Built:
    """Build both sides of a program into an executable or a shared library."""
    assert request.output
    linked = _execute(plan_executable(request, _headers_for(request)), request, options)
    built = Built(linked.result.content, linked.warnings(), failures=linked.failures)
    write_atomically(request.output, built.program)
    _allow_to_start(request.output)
    return built


def build_objects(request: ObjectRequest, options: ExecutionOptions | None = None) -> str:
    """Compile sources into object files, or check them; return warnings."""
    done = _execute(plan_objects(request, _headers_for(request)), request, options)
    with StagedFiles() as staged:
        files = dict(done.result)
        streamed = files.pop(Path(STREAM), None)
        for path, content in files.items():
            staged.add(os.fspath(path), content)
        staged.put_in_place()
        if streamed is not None:
            _write(Path(STREAM), streamed)
    return done.warnings()


def _write(path: Path, content: bytes) -> None:
    """Write a file or, if `path` is `-`, to standard output."""
    if path == Path(STREAM):
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
    else:
        write_atomically(path, content)


def _allow_to_start(file: Path) -> None:
    """Make a file executable for everyone who may read it, as the umask allows."""
    mode = file.stat().st_mode
    # Leave pipes and devices unchanged.
    if stat.S_ISREG(mode):
        file.chmod(stat.S_IMODE(mode | (mode & 0o444) >> 2))


def build_to_run(request: RunRequest, options: ExecutionOptions | None = None) -> Built:
    """Build both sides of a program, to run it now."""
    done = _execute(plan_start(request, _headers_for(request)), request, options)
    program, library = done.result
    return Built(program, done.warnings(), library)


class Checked(NamedTuple):
    """The result of `check_sources`."""

    analysis: "Analysis"
    """The analysis of the sources that compile."""
    messages: str
    """Clang's messages without duplicates."""
    refused: tuple[str, ...]
    """The sources that do not compile."""


def check_sources(request: CheckRequest, options: ExecutionOptions | None = None) -> Checked:
    """Run the front-end over all sources and analyze them together."""
    plan = plan_check(request, _headers_for(request))
    done = execute(plan, options)
    messages: dict[Source, str] = {}
    refused: list[str] = []
    # A source that is listed twice is reported once.
    for step in {step.source: step for step in plan.sources}.values():
        facts = done.results.of(step)
        if isinstance(facts, CompileError):
            refused.append(step.source.path)
            messages[step.source] = facts.message
        else:
            messages[step.source] = done.messages.get(step, "")
    from dovetail.driver.reporting import target_macro_advice

    joined = frontend.join_messages(messages.values())
    advice = target_macro_advice(joined, request.flags)
    shown = f"{joined}\ndovetail: {advice}" if advice else joined
    return Checked(done.result, shown, tuple(refused))


def run_passes(request: PassRequest) -> "Module":
    """Return the module after the passes."""
    return execute(plan_passes(request)).result.module


def _execute(
    plan: Step[_Result], request: CompileRequest, options: ExecutionOptions | None
) -> Executed[_Result]:
    """Execute a plan; if it fails to compile, add advice about macros of targets to the error."""
    try:
        return execute(plan, options)
    except CompileError as error:
        # Imported late: most builds have no error.
        from dovetail.driver.reporting import target_macro_advice

        error.hint = error.hint or target_macro_advice(error.message, request.flags)
        raise


def dry_run(request: Request, folder: Path) -> tuple[Job, ...]:
    """Return the jobs of a request, with their files in `folder`, without running them."""
    return tuple(jobs_of(_plan(request), folder).values())


def phases_of(request: Request) -> str:
    """Return the graph of a request as text; cached headers have no steps."""
    # Imported late: only -ccc-print-phases needs it.
    from dovetail.driver.phases_shown import phases_text

    return phases_text(_plan(request))


def _plan(request: Request) -> AnyStep:
    """Return the plan of a request for display, even if headers cannot be cached."""
    match request:
        case PassRequest():
            return plan_passes(request)
        case CheckRequest():
            return plan_check(request, _headers_for(request, for_show=True))
        case ObjectRequest():
            return plan_objects(request, _headers_for(request, for_show=True))
        case BuildRequest():
            return plan_build(request, _headers_for(request, for_show=True))
        case RunRequest():
            headers = _headers_for(request, for_show=True)
            return (plan_executable if request.output else plan_start)(request, headers)


def _headers_for(request: CompileRequest, *, for_show: bool = False) -> Headers:
    """Return the precompiled headers of a request; `UsageError` if it has nothing to compile."""
    linked = isinstance(request, BuildRequest | RunRequest) and request.line.words
    if not request.sources and not linked:
        raise UsageError("no source was given", hint="name at least one C++ file")
    has_host = isinstance(request, RunRequest | ObjectRequest)
    return _headers(request.flags, for_host=has_host, for_show=for_show)


def _headers(flags: Flags, *, for_host: bool, for_show: bool) -> Headers:
    """Return the precompiled headers; none if they are missing and cannot be cached."""
    families = by_ir_family(flags.targets)
    try:
        host = precompiled_header(Side.HOST, flags) if for_host else None
        device = {each: precompiled_header(Side.DEVICE, flags, each) for each in families}
    except InputError:
        return Headers()
    headers = Headers(host, device)
    if for_show or all(header.current for header in (host, *device.values()) if header):
        return headers
    return headers if headers_can_be_stored() else Headers()

"""Requests carried out, or shown without being carried out: what the commands call."""

import os
import stat
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from dovetail.codegen import CodeFailure
from dovetail.driver.actions import (
    Action,
    BuildRequest,
    CheckRequest,
    Headers,
    ObjectRequest,
    PassRequest,
    Request,
    RunRequest,
    plan_build,
    plan_check,
    plan_objects,
    plan_passes,
    plan_run,
)
from dovetail.driver.advice import target_macro_advice
from dovetail.driver.binding import Job, bind
from dovetail.driver.execution import Outcome, execute
from dovetail.driver.watching import Manner
from dovetail.errors import CompileError, InputError, UsageError
from dovetail.files import STREAM, StagedFiles, write_atomically
from dovetail.frontend import (
    Flags,
    Side,
    headers_can_be_stored,
    join_messages,
    precompiled_header,
)
from dovetail.targets.ir_family import by_ir_family

if TYPE_CHECKING:
    from dovetail.analysis import Analysis
    from dovetail.ir import Module


class Built(NamedTuple):
    """A built program, and what clang said about its sources."""

    program: bytes
    warnings: str
    host_library: bytes = b""
    """The host side as a shared object, if it was asked for."""
    failures: tuple[CodeFailure, ...] = ()
    """What it was built in spite of."""


def build_program(request: BuildRequest, manner: Manner | None = None) -> Built:
    """Build a device program; it is also written where the request says."""
    outcome = _carry_out(request, manner)
    if request.output:
        _write(request.output, outcome.last)
    return Built(outcome.last, outcome.warnings(), failures=outcome.failures)


def build_executable(request: RunRequest, manner: Manner | None = None) -> Built:
    """Build both sides of a program into a file that starts it, or that programs load."""
    assert request.output
    outcome = _carry_out(request, manner)
    content = outcome.last.content if request.shared else outcome.last
    write_atomically(request.output, content)
    _allow_to_start(request.output)
    return Built(content, outcome.warnings(), failures=outcome.failures)


def build_objects(request: ObjectRequest, manner: Manner | None = None) -> str:
    """Compile sources into object files, or check them. Returns warnings."""
    outcome = _carry_out(request, manner)
    with StagedFiles() as staged:
        files: dict[Path, bytes] = dict(outcome.last)
        streamed = files.pop(Path(STREAM), None)
        for path, content in files.items():
            staged.add(os.fspath(path), content)
        staged.put_in_place()
        if streamed is not None:
            _write(Path(STREAM), streamed)
    return outcome.warnings()


def _write(path: Path, content: bytes) -> None:
    """Write a file, or to standard output, as clang does if that is what `-` names."""
    if path == Path(STREAM):
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
    else:
        write_atomically(path, content)


def _allow_to_start(file: Path) -> None:
    """Let those start a file who may read it, which is what the user's mask left of a new one."""
    mode = file.stat().st_mode
    # What is no plain file, such as a pipe, is not ours to change.
    if stat.S_ISREG(mode):
        file.chmod(stat.S_IMODE(mode | (mode & 0o444) >> 2))


def build_to_run(request: RunRequest, manner: Manner | None = None) -> Built:
    """Build both sides of a program."""
    outcome = _carry_out(request, manner)
    program, library = outcome.last
    return Built(program, outcome.warnings(), library)


class Checked(NamedTuple):
    """What came of looking at sources."""

    analysis: "Analysis"
    """Of those that compile."""
    messages: str
    """Clang's, each once."""
    refused: tuple[str, ...]
    """The sources that do not compile."""


def check_sources(request: CheckRequest, manner: Manner | None = None) -> Checked:
    """Run the front-end over all sources and analyse them together."""
    outcome = _carry_out(request, manner)
    made = {action.source: (action, it) for action, it in outcome.artifacts.items()}
    messages: list[str] = []
    refused: list[str] = []
    for source in dict.fromkeys(request.sources):
        action, result = made[source]
        if isinstance(result, CompileError):
            refused.append(source.path)
            messages.append(result.message)
        else:
            messages.append(outcome.messages.get(action, ""))
    joined = join_messages(messages)
    advice = target_macro_advice(joined, request.flags)
    shown = f"{joined}\ndovetail: {advice}" if advice else joined
    return Checked(outcome.last, shown, tuple(refused))


def run_passes(request: PassRequest) -> "Module":
    """The module after the passes."""
    return _carry_out(request).last.module


def dry_run(request: Request, folder: Path) -> tuple[Job, ...]:
    """The jobs that the request would come to now, with their files in `folder`."""
    return bind(_plan(request, for_show=True), request, folder)


def phases_of(request: Request) -> str:
    """The graph of what would be done now, as text; headers that are kept need no making."""
    # Hardly anyone asks, and builds need not pay for it.
    from dovetail.driver.phases_shown import phases_text

    return phases_text(_plan(request, for_show=True), request)


def _carry_out(request: Request, manner: Manner | None = None) -> Outcome:
    try:
        return execute(_plan(request, for_show=False), request, manner)
    except CompileError as error:
        if not isinstance(request, PassRequest):
            error.hint = error.hint or target_macro_advice(error.message, request.flags)
        raise


def _headers(flags: Flags, *, for_host: bool, for_show: bool) -> Headers:
    """The precompiled headers, none if they have to be made and cannot be kept."""
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


def _plan(request: Request, *, for_show: bool) -> Action:
    if isinstance(request, PassRequest):
        return plan_passes(request)
    linked = isinstance(request, BuildRequest | RunRequest) and request.line.words
    if not request.sources and not linked:
        raise UsageError("no source was given", hint="name at least one C++ file")
    has_host = isinstance(request, RunRequest | ObjectRequest)
    headers = _headers(request.flags, for_host=has_host, for_show=for_show)
    if isinstance(request, CheckRequest):
        return plan_check(request, headers)
    if isinstance(request, ObjectRequest):
        return plan_objects(request, headers)
    if isinstance(request, RunRequest):
        return plan_run(request, headers)
    return plan_build(request, headers)

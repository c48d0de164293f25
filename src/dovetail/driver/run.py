"""Requests carried out, or shown without being carried out: what the commands call."""

import shlex
import shutil
import tempfile
from pathlib import Path

from dovetail.driver.actions import (
    Action,
    BuildRequest,
    PassRequest,
    Request,
    plan_build,
    plan_passes,
)
from dovetail.driver.bind import Job, bind
from dovetail.driver.execute import Listener, Results, execute
from dovetail.errors import IRError, UsageError
from dovetail.files import write_atomically
from dovetail.frontend import precompiled_header
from dovetail.ir import Module


def build_program(request: BuildRequest, listener: Listener = lambda job: None) -> Results:
    """Build a program; it is also written where the request says."""
    results = _carry_out(request, listener)
    if request.output:
        write_atomically(request.output, results.program)
    return results


def run_passes(request: PassRequest) -> Module:
    """The module after the passes."""
    return _carry_out(request, lambda job: None).modules[0].module


def dry_run(request: Request) -> tuple[Job, ...]:
    """The jobs that the request would come to now."""
    return bind(_plan(request), request, Path(tempfile.gettempdir()) / "dovetail")


def _carry_out(request: Request, listener: Listener) -> Results:
    root = _plan(request)
    with tempfile.TemporaryDirectory(prefix="dovetail-") as folder:
        try:
            return execute(bind(root, request, Path(folder)), listener)
        except IRError as error:
            raise _with_evidence(error, root, Path(folder)) from error


def _with_evidence(error: IRError, root: Action, folder: Path) -> IRError:
    """LLVM refused what clang had accepted: keep that, and say how to see the failure again."""
    modules = sorted(folder.glob("*.bc"))
    if not modules:
        return error
    kept = Path(shutil.copytree(folder, tempfile.mkdtemp(prefix="dovetail-"), dirs_exist_ok=True))
    module = kept / modules[-1].name
    pipeline = next(action.pipeline for action in root.in_order() if action.pipeline)
    command = ["dovetail", "opt", "-p", pipeline, "--facts", str(module.with_suffix(".facts.json"))]
    return IRError(
        error.message,
        hint=f"what clang made is kept in {kept}; the passes again: "
        f"{shlex.join([*command, str(module)])}",
    )


def _plan(request: Request) -> Action:
    if isinstance(request, PassRequest):
        return plan_passes(request)
    if not request.sources:
        raise UsageError("no source was given", hint="name at least one C++ file")
    return plan_build(request, precompiled_header(request.flags))

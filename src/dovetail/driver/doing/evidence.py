"""Keeping what led to a failure."""

import shlex
import shutil
import tempfile
from pathlib import Path

from dovetail.driver.actions import Action
from dovetail.errors import IRError


def with_evidence(error: IRError, root: Action, folder: Path) -> IRError:
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

"""Runs the engine on one reader within a budget, monitors it, and saves the input of a fault."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from soak.memory import in_use, megabytes

from fuzz.limits import GROWTH_ALLOWANCE
from fuzz.progress import Progress

REGRESSIONS = Path(__file__).parents[1] / "tests" / "fuzz_regressions"
"""One folder for each reader with the inputs of its faults, which a test reads again."""

_POLL_INTERVAL_S = 0.2
_LOG_LINES_SHOWN = 25
_FAULT_INPUTS = ("fault", "crash-*", "timeout-*", "oom-*", "leak-*")
"""Files that the engine or libFuzzer writes for a fault; the first existing one is used."""


@dataclass(frozen=True)
class Budget:
    """The limits of a run; 0 means no limit."""

    count: int
    seconds: int = 0


@dataclass(frozen=True)
class Result:
    """The result of fuzzing one reader."""

    executed: int
    accepted: int
    seconds: float
    fault: str = ""
    """A description of the fault with the end of the log; empty if there was none."""
    saved: Path | None = None
    """The file with the input of the fault, if it has one."""


def fuzz_reader(
    name: str,
    budget: Budget,
    seed: int,
    tell: Callable[[int, float], None],
    regressions: Path = REGRESSIONS,
) -> Result:
    """Fuzz one reader; `tell` receives the number of inputs and the seconds so far."""
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        place = Path(folder)
        progress = Progress(place / "progress")
        started = time.monotonic()
        with (place / "log").open("wb") as log:
            words = (name, folder, str(budget.count or -1), str(budget.seconds), str(seed))
            engine = subprocess.Popen(
                [sys.executable, "-m", "fuzz.engine", *words],
                stdout=log,
                stderr=log,
                # A fixed hash seed makes runs reproducible.
                env={**os.environ, "PYTHONHASHSEED": "0"},
            )
            try:
                growth = _watch(engine, progress, budget, lambda n: tell(n, _since(started)))
            finally:
                engine.kill()
                engine.wait()
        fault, saved = growth, None
        if engine.returncode:
            fault, saved = _log_end(place / "log"), _saved_input(place, regressions / name)
        seconds = _since(started)
        return Result(progress.executed, progress.accepted, seconds, fault, saved)


def _since(started: float) -> float:
    return time.monotonic() - started


def _watch(
    engine: subprocess.Popen[bytes],
    progress: Progress,
    budget: Budget,
    tell: Callable[[int], None],
) -> str:
    """Wait for the engine; return a description of memory growth, or an empty text."""
    started, early, late = time.monotonic(), 0, 0
    while engine.poll() is None:
        executed = progress.executed
        late = in_use(engine.pid) or late
        done = executed / budget.count if budget.count else 0.0
        if budget.seconds:
            done = max(done, _since(started) / budget.seconds)
        if not early and executed and done >= 0.1:
            early = late
        tell(executed)
        time.sleep(_POLL_INTERVAL_S)
    if early and late > early + GROWTH_ALLOWANCE:
        return f"memory grew from {megabytes(early)} to {megabytes(late)}"
    return ""


def _log_end(log: Path) -> str:
    lines = log.read_text(errors="replace").splitlines()
    messages = [line for line in lines if not line.startswith(("INFO: ", "WARNING: "))]
    return "\n".join(messages[-_LOG_LINES_SHOWN:]) or "the engine ended without a message"


def _saved_input(place: Path, folder: Path) -> Path | None:
    """Copy the input of a fault to the regressions; return its path, or None without an input."""
    for pattern in _FAULT_INPUTS:
        for found in place.glob(pattern):
            data = found.read_bytes()
            folder.mkdir(parents=True, exist_ok=True)
            saved = folder / sha256(data).hexdigest()[:16]
            saved.write_bytes(data)
            return saved
    return None

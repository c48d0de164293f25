"""Compilers and linkers that run for this process: which, since when, and for how long they may."""

import time
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import count
from threading import Lock
from typing import NamedTuple

from dovetail.errors import UsageError
from dovetail.settings import TOOL_TIMEOUT

_running: dict[int, "RunningTool"] = {}
_numbers = count()
_lock = Lock()
_purpose: ContextVar[str] = ContextVar("purpose", default="")


class RunningTool(NamedTuple):
    """A program that is running."""

    number: int
    """No two have the same."""
    name: str
    purpose: str
    """What it works on; may be empty."""
    started: float
    """By `time.monotonic`."""
    limit: float | None
    """Seconds after which it is ended; None for never."""


def time_limit() -> float | None:
    """Return the seconds that one run of a compiler or linker may take, None for any time."""
    text = TOOL_TIMEOUT.value()
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < float("inf"):
        raise UsageError(
            f"{TOOL_TIMEOUT.variable} is '{text}', which is not a number of seconds",
            hint=f"such as {TOOL_TIMEOUT.default}; 0 for no limit",
        )
    return seconds or None


def timeout_hint() -> str:
    """Return how to give tools more time."""
    return f"if it needs longer, set {TOOL_TIMEOUT.variable} to more seconds, or to 0 for no limit"


def tools_running() -> list[RunningTool]:
    """Return all tools that are running now, the oldest first."""
    with _lock:
        return list(_running.values())


@contextmanager
def running(name: str, limit: float | None, purpose: str = "") -> Generator[None]:
    """List a tool as running for a while; its purpose is that of the step if none is given."""
    number = next(_numbers)
    tool = RunningTool(number, name, purpose or _purpose.get(), time.monotonic(), limit)
    with _lock:
        _running[number] = tool
    try:
        yield
    finally:
        with _lock:
            del _running[number]


@contextmanager
def for_purpose(text: str) -> Generator[None]:
    """Let `text` be the purpose of what this thread runs meanwhile."""
    before = _purpose.set(text)
    try:
        yield
    finally:
        _purpose.reset(before)

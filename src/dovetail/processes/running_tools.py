"""The compilers and linkers that this process is running, with their start times and limits."""

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
    """Unique in this process."""
    name: str
    purpose: str
    """For display; may be empty."""
    started: float
    """By `time.monotonic`."""
    limit: float | None
    """Seconds after which it is killed; None for no limit."""


def time_limit() -> float | None:
    """Return the time limit of a compiler or linker in seconds; None for no limit."""
    text = TOOL_TIMEOUT.value()
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < float("inf"):
        raise UsageError(
            f"{TOOL_TIMEOUT.variable}: expected a number of seconds, got '{text}'",
            hint=f"such as {TOOL_TIMEOUT.default}; 0 for no limit",
        )
    return seconds or None


def timeout_hint() -> str:
    """Return a hint on how to raise the time limit."""
    return f"if it needs longer, set {TOOL_TIMEOUT.variable} to more seconds, or to 0 for no limit"


def tools_running() -> list[RunningTool]:
    """Return the running tools, the oldest first."""
    with _lock:
        return list(_running.values())


@contextmanager
def running(name: str, limit: float | None, purpose: str = "") -> Generator[None]:
    """List a tool as running in this context; its default purpose is that of the step."""
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
    """Set the purpose of the tools that this thread runs in this context."""
    before = _purpose.set(text)
    try:
        yield
    finally:
        _purpose.reset(before)

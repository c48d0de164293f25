"""Minimizes the input of a fault within a time limit."""

from __future__ import annotations

import time
from collections.abc import Callable
from traceback import extract_tb

_TIME_LIMIT_S = 2.0

Place = tuple[str, str, int | None]
"""The type of an exception, and the file and line that raised it."""


def fault_place(read: Callable[[bytes], object], data: bytes) -> Place | None:
    """Return the exception that an input raises with its place; None if it is accepted."""
    try:
        read(data)
    except (Exception, SystemExit) as error:
        last = extract_tb(error.__traceback__)[-1]
        return type(error).__name__, last.filename, last.lineno
    return None


def minimized(read: Callable[[bytes], object], data: bytes) -> bytes:
    """Return a part of `data` that raises the same exception in the same place."""
    place = fault_place(read, data)
    deadline = time.monotonic() + _TIME_LIMIT_S
    size = len(data) // 2
    while size:
        at = 0
        while at < len(data):
            if time.monotonic() > deadline:
                return data
            shorter = data[:at] + data[at + size :]
            if fault_place(read, shorter) == place:
                data = shorter
            else:
                at += size
        size //= 2
    return data

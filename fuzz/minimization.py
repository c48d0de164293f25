"""Making the input of a fault smaller, as long as that takes little time."""

from __future__ import annotations

import time
from collections.abc import Callable
from traceback import extract_tb

_SECONDS = 2.0

Place = tuple[str, str, int | None]
"""The type of an exception, and the file and line that raised it."""


def fault_place(read: Callable[[bytes], object], data: bytes) -> Place | None:
    """Return what an input raises and where; None if it is read."""
    try:
        read(data)
    except (Exception, SystemExit) as error:
        last = extract_tb(error.__traceback__)[-1]
        return type(error).__name__, last.filename, last.lineno
    return None


def minimized(read: Callable[[bytes], object], data: bytes) -> bytes:
    """Return a part of `data` that raises the same in the same place."""
    place = fault_place(read, data)
    deadline = time.monotonic() + _SECONDS
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

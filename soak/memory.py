"""Watching how much memory a process has."""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path

_TELL_EACH = 5.0
"""Seconds between two lines about the progress."""


def in_use(process: int | str = "self") -> int:
    """The bytes of memory that a process has now; 0 if it is gone."""
    try:
        pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    except (OSError, IndexError):
        return 0
    return pages * resource.getpagesize()


def megabytes(size: int) -> str:
    """A size as text."""
    return f"{size / (1 << 20):.1f} MB"


def watch(seconds: float, measure: Callable[[], int]) -> tuple[int, int]:
    """The memory in use after a quarter of the time and shortly before its end."""
    start, early, told = time.monotonic(), 0, 0.0
    late = measure()
    while (gone := time.monotonic() - start) < seconds:
        now = measure()
        late = now or late
        if not early and gone >= seconds / 4:
            early = now
        if gone - told >= _TELL_EACH:
            told = gone
            sys.stderr.write(f"soak: {gone:.0f} of {seconds:.0f} s, {megabytes(late)}\n")
        time.sleep(0.05)
    return early, late

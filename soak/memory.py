"""Monitoring of a process's memory."""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path

_PROGRESS_INTERVAL_S = 5.0


def in_use(process: int | str = "self") -> int:
    """Return the resident memory of a process in bytes; 0 if it has ended."""
    try:
        pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    except (OSError, IndexError):
        return 0
    return pages * resource.getpagesize()


def megabytes(size: int) -> str:
    """Return a size as text."""
    return f"{size / (1 << 20):.1f} MB"


def watch(seconds: float, measure: Callable[[], int]) -> tuple[int, int]:
    """Return the memory after a quarter of the time, and shortly before the end."""
    start, early, last_line = time.monotonic(), 0, 0.0
    late = measure()
    while (elapsed := time.monotonic() - start) < seconds:
        now = measure()
        late = now or late
        if not early and elapsed >= seconds / 4:
            early = now
        if elapsed - last_line >= _PROGRESS_INTERVAL_S:
            last_line = elapsed
            sys.stderr.write(f"soak: {elapsed:.0f} of {seconds:.0f} s, {megabytes(late)}\n")
        time.sleep(0.05)
    return early, late

"""Waiting for conditions that become true, however slow or busy the machine is."""

import time
from collections.abc import Callable
from pathlib import Path

PATIENCE = 300
"""Seconds after which a test gives up: far more than any of them takes on a busy machine."""


def eventually(condition: Callable[[], bool]) -> bool:
    """Return whether a condition becomes true in time; it is tested repeatedly."""
    give_up = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > give_up:
            return False
        time.sleep(0.002)
    return True


def has_ended(process: int) -> bool:
    """Return whether a process has ended, even if it has not been reaped."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return True
    return state in ("Z", "X")

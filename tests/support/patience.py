"""Waiting for what is bound to happen, however slow or busy the machine is."""

import time
from collections.abc import Callable
from pathlib import Path

PATIENCE = 300
"""Seconds after which a test gives up: far more than any of them takes on a busy machine."""


def eventually(condition: Callable[[], bool]) -> bool:
    """Whether a condition comes true: it is asked again and again."""
    give_up = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > give_up:
            return False
        time.sleep(0.002)
    return True


def has_ended(process: int) -> bool:
    """Whether a process has ended; its entry stays until someone takes it in."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return True
    return state in ("Z", "X")

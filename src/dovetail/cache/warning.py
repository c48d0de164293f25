"""Warnings about the cache. Its failures never stop a program."""

import sys
from contextlib import suppress
from threading import Lock

from dovetail.printable import visible

_warned_topics: set[str] = set()
_lock = Lock()


def warn_once(topic: str, message: str, hint: str = "") -> None:
    """Print a warning on standard error, once for each topic in a process."""
    with _lock:
        if topic in _warned_topics:
            return
        _warned_topics.add(topic)
    lines = [f"dovetail: warning: {message}", *([f"dovetail: {hint}"] if hint else [])]
    # Standard error may be closed, or a broken pipe.
    with suppress(OSError, ValueError, AttributeError):
        sys.stderr.write("\n".join(map(visible, lines)) + "\n")

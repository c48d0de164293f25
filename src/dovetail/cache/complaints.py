"""What the cache has to tell: warnings, for nothing that goes wrong with it stops a program."""

import sys
from contextlib import suppress
from threading import Lock

from dovetail.printable import visible

_told: set[str] = set()
_telling = Lock()


def warn_once(topic: str, message: str, hint: str = "") -> None:
    """Write a warning on standard error, unless this process has warned of the topic before."""
    with _telling:
        if topic in _told:
            return
        _told.add(topic)
    lines = [f"dovetail: warning: {message}", *([f"dovetail: {hint}"] if hint else [])]
    # A process may have closed it, or lost whoever listens.
    with suppress(OSError, ValueError, AttributeError):
        sys.stderr.write("\n".join(map(visible, lines)) + "\n")

"""The state of a process that belongs to its program, and that drivers change while they start."""

import locale
import signal
from collections.abc import Generator
from contextlib import contextmanager
from ctypes import CDLL, c_char_p, create_string_buffer

_SIGACTION_SIZE = 256
"""More than any system's `struct sigaction`."""


@contextmanager
def restored_process_state() -> Generator[None]:
    """Restore the handlers of signals and the locale at the end."""
    libc = CDLL(None)
    libc.setlocale.restype = c_char_p
    name = libc.setlocale(locale.LC_ALL, None)
    # Python's `signal` module does not see handlers that C code installs.
    handlers = {number: create_string_buffer(_SIGACTION_SIZE) for number in range(1, signal.NSIG)}
    known = [number for number, old in handlers.items() if not libc.sigaction(number, None, old)]
    try:
        yield
    finally:
        for number in known:
            libc.sigaction(number, handlers[number], None)
        libc.setlocale(locale.LC_ALL, name)

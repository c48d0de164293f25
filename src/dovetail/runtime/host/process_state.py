"""Starting the runtime without changing the state of the process, which belongs to its program."""

import locale
import os
import signal
import sys
from collections.abc import Generator
from contextlib import contextmanager
from ctypes import CDLL, c_char_p, create_string_buffer
from importlib import import_module

_SIGACTION_SIZE = 256
"""More than any system's `struct sigaction`."""

_BLAS_THREADS = "OPENBLAS_NUM_THREADS"


def import_numpy() -> None:
    """Import NumPy without the threads of its BLAS library, in a process whose Python is ours.

    There would be one for each processor, and each polls for a while after its start. The runtime
    does no linear algebra.
    """
    if "numpy" in sys.modules or _BLAS_THREADS in os.environ:
        return
    os.environ[_BLAS_THREADS] = "1"
    try:
        import_module("numpy")
    finally:
        del os.environ[_BLAS_THREADS]


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

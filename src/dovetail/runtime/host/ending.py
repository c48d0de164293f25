"""Seeing to it that no thread is in a driver when the process ends.

Drivers clean up while the process ends, and take it down if a thread is still using them. Nobody
can stop threads of the program's, but they have to pass through Python to get to a driver.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from threading import get_ident
from time import monotonic, sleep
from types import FrameType

from dovetail.runtime import interruptible, threads

_RUNTIME = str(Path(interruptible.__file__).parent)
TIMEOUT_S = 2.0
POLL_INTERVAL_S = 0.001
QUIET_POLLS = 3
"""How often in a row no other thread has to be seen."""


def wait_for_other_threads(*outside: str) -> None:
    """Return when no other thread is in the runtime, or soon if some will not leave.

    A thread is not in there if the last it entered is one of the files `outside`.
    """
    idle = {*outside, threads.__file__, interruptible.__file__}
    until = monotonic() + TIMEOUT_S
    times_alone = 0
    while times_alone < QUIET_POLLS and monotonic() < until:
        # Threads that are about to enter wait for us to let go of Python, and cannot be seen.
        sleep(POLL_INTERVAL_S)
        is_alone = all(file in idle for file in _files_of_others())
        times_alone = times_alone + 1 if is_alone else 0


def _files_of_others() -> Iterator[str]:
    """The file of the runtime that each other thread is in, if it is."""
    frames = sys._current_frames()  # pyright: ignore[reportPrivateUsage]
    for thread, frame in frames.items():
        file = _file_of(frame)
        if thread != get_ident() and file is not None:
            yield file


def _file_of(frame: FrameType | None) -> str | None:
    while frame is not None:
        if frame.f_code.co_filename.startswith(_RUNTIME):
            return frame.f_code.co_filename
        frame = frame.f_back
    return None

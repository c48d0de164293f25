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

from dovetail.runtime import interruptible
from dovetail.runtime.host import threads

_RUNTIME = str(Path(interruptible.__file__).parent)
_PATIENCE = 2.0
_STEP = 0.001


def wait_for_other_threads(*outside: str) -> None:
    """Return when no other thread is in the runtime, or soon if some will not leave.

    A thread is not in there if the last it entered is one of the files `outside`.
    """
    idle = {*outside, threads.__file__, interruptible.__file__}
    until = monotonic() + _PATIENCE
    while monotonic() < until and any(file not in idle for file in _files_of_others()):
        sleep(_STEP)


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

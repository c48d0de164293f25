"""When things were last used: the time of a file's last change, which nothing else needs.

(The time of its last access is not kept on many systems.)
"""

import os
import time
from contextlib import suppress

_PRECISION = 3600
"""Seconds. What was noted more recently is not noted again: most uses write nothing."""


def note_use(file: int | os.PathLike[str], status: os.stat_result) -> None:
    """Note that a file with this status is used now, if it can be noted."""
    # A time that is still to come is wrong, and would keep the file for ever.
    if not 0 <= time.time() - status.st_mtime < _PRECISION:
        with suppress(OSError):
            os.utime(file)

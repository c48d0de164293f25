"""The size limit of the cache, with eviction of the least recently used items.

Listing all files is slow if there are many, so writers append to a ledger: a file that grows by one
byte for each block that they write. Appending needs no lock, and the size of the ledger tells how
much was written since the last eviction. When that is an eighth of the limit, a writer lists all
files and evicts items until seven eighths are left. So the limit always holds, except for what
other processes write during an eviction.
"""

import errno
import fcntl
import os
import re
import time
from contextlib import suppress
from pathlib import Path

from dovetail.cache.folder import cache_root
from dovetail.errors import UsageError
from dovetail.files import BLOCK_SIZE, disk_usage
from dovetail.settings import CACHE_SIZE

_LEDGER = "growth"
_EVICTION_DIVISOR = 8
"""Items are evicted when this fraction of the limit was written: the limit divided by this."""

_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def configured_limit() -> int:
    """Return the limit in bytes; `UsageError` if the setting is invalid."""
    text = CACHE_SIZE.value()
    size = re.fullmatch(r"(\d{1,9}(?:\.\d{1,9})?) ?([KMGT]?)(?:i?B)?", text, re.ASCII | re.I)
    if not size:
        raise UsageError(
            f"{CACHE_SIZE.variable}: expected a size, got '{text}'",
            hint="a size is a number of bytes, or a number with K, M, G or T, such as 500M or 2G",
        )
    return int(float(size[1]) * _UNITS[size[2].upper()])


def limit() -> int:
    """Return the limit in bytes; warn and use the default if the setting is invalid."""
    try:
        return configured_limit()
    except UsageError as error:
        # Imported late: the value is seldom wrong.
        from dovetail.cache.warning import warn_once

        default = CACHE_SIZE.default
        warn_once(CACHE_SIZE.variable, f"{error.message}; using {default}", error.hint)
        return int(default[:-1]) * _UNITS[default[-1]]


def fits(size: int) -> bool:
    """Whether a file is small enough to be cached: at most half of the limit."""
    return disk_usage(size) <= limit() // 2


def make_room(size: int) -> None:
    """Record in the ledger that `size` bytes will be written, and evict items if necessary.

    Called before each file is written. Items are evicted when an eighth of the limit was written
    since the last eviction, or if the ledger is new.

    Errors are ignored: if the ledger cannot be written, writing the file reports the same error.
    """
    max_bytes = limit()
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    path = cache_root() / _LEDGER
    with suppress(OSError):
        try:
            ledger = os.open(path, flags, 0o600)
        except OSError as error:
            _remove_obstacle(path, error)
            ledger = os.open(path, flags, 0o600)
        try:
            # A new ledger does not include existing files.
            is_new = os.fstat(ledger).st_size == 0
            os.write(ledger, bytes(disk_usage(size) // BLOCK_SIZE))
            eviction_interval = max_bytes // _EVICTION_DIVISOR
            if is_new or os.fstat(ledger).st_size * BLOCK_SIZE > eviction_interval:
                _evict(ledger, max_bytes - eviction_interval - disk_usage(size))
        finally:
            os.close(ledger)


def _remove_obstacle(path: Path, error: OSError) -> None:
    """Remove a folder, link or socket in place of the ledger; without it, there is no limit."""
    if error.errno == errno.EISDIR:
        path.rmdir()
    elif error.errno in (errno.ELOOP, errno.ENXIO):
        path.unlink()


def _evict(ledger: int, max_bytes: int) -> None:
    """Leave at most `max_bytes` in the cache and reset the ledger.

    Do nothing if another process is evicting items.
    """
    try:
        # The system releases the lock when the process ends, even if it is killed.
        fcntl.flock(ledger, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return
    # Imported late: few writes evict items.
    from dovetail.cache.contents import remove_unfinished_files

    counted = os.fstat(ledger).st_size
    remove_unfinished_files()
    _remove_oldest(max_bytes)
    # Writes of other processes since then may have been missed. An empty ledger would count as new.
    os.ftruncate(ledger, max(1, os.fstat(ledger).st_size - counted))


def _remove_oldest(max_bytes: int) -> None:
    """Remove the least recently used items until at most `max_bytes` are left.

    Items that were used a moment ago stay.
    """
    from dovetail.cache.contents import cached_items

    items = sorted(cached_items(), key=lambda item: item.last_use)
    size, now = sum(item.size for item in items), time.time()
    for item in items:
        if size <= max_bytes:
            return
        if now - item.last_use >= item.kind.min_idle_s:
            with suppress(OSError):
                item.remove()
                size -= item.size

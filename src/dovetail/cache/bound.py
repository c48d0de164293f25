"""Keeping the cache within its bound: what was used longest ago goes first.

Looking at every file takes long where there are many, so writers keep a ledger: a file that grows
by one byte for each block that they write. Appending needs no lock, and the ledger's length tells
how much was written since someone looked. When that is an eighth of the bound, all files are looked
at and no more than seven eighths are left. So the bound holds at all times, but for what processes
write while one of them looks.
"""

import errno
import fcntl
import os
import re
import time
from contextlib import suppress
from pathlib import Path

from dovetail.cache.complaints import warn_once
from dovetail.cache.contents import BLOCK, remove_leftovers, room_for, things
from dovetail.cache.folder import cache_root
from dovetail.errors import UsageError
from dovetail.settings import CACHE_SIZE

_LEDGER = "growth"
_FREE_SHARE = 8
"""One in so many parts of the bound is free after room was made."""

_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def stated_bound() -> int:
    """How many bytes the cache may take up; `UsageError` if the setting makes no sense."""
    text = CACHE_SIZE.value()
    size = re.fullmatch(r"(\d{1,9}(?:\.\d{1,9})?) ?([KMGT]?)(?:i?B)?", text, re.ASCII | re.I)
    if not size:
        raise UsageError(
            f"{CACHE_SIZE.variable} is '{text}', which is no size",
            hint="a size is a number of bytes, or one with K, M, G or T, such as 500M or 2G",
        )
    return int(float(size[1]) * _UNITS[size[2].upper()])


def bound() -> int:
    """The same for those who must go on: the default if the setting makes no sense."""
    try:
        return stated_bound()
    except UsageError as error:
        default = CACHE_SIZE.default
        warn_once(CACHE_SIZE.variable, f"{error.message}; {default} is taken", error.hint)
        return int(default[:-1]) * _UNITS[default[-1]]


def fits(size: int) -> bool:
    """Whether a file is small enough to be kept: not worth more than half of everything else."""
    return room_for(size) <= bound() // 2


def make_room(size: int) -> None:
    """Called before a file of so many bytes is written, by everyone who writes into the cache.

    If the ledger cannot be written, the file cannot either; whoever writes it will see.
    """
    limit = bound()
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    path = cache_root() / _LEDGER
    with suppress(OSError):
        try:
            ledger = os.open(path, flags, 0o600)
        except OSError as error:
            _remove_impostor(path, error)
            ledger = os.open(path, flags, 0o600)
        try:
            # A new one says nothing about what is there already.
            is_new = os.fstat(ledger).st_size == 0
            os.write(ledger, bytes(room_for(size) // BLOCK))
            free = limit // _FREE_SHARE
            if is_new or os.fstat(ledger).st_size * BLOCK > free:
                _tidy(ledger, limit - free - room_for(size))
        finally:
            os.close(ledger)


def _remove_impostor(path: Path, error: OSError) -> None:
    """Remove what is no plain file in the place of the ledger, without which nothing is bounded."""
    if error.errno == errno.EISDIR:
        path.rmdir()
    elif error.errno in (errno.ELOOP, errno.ENXIO):
        path.unlink()


def _tidy(ledger: int, most: int) -> None:
    """Leave at most so many bytes in the cache, unless another process is at it."""
    try:
        # The system lets go of it when the process ends, however that happens.
        fcntl.flock(ledger, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return
    counted = os.fstat(ledger).st_size
    remove_leftovers()
    _remove_oldest(most)
    # What others wrote meanwhile may not have been seen. Never empty: that is a new ledger.
    os.ftruncate(ledger, max(1, os.fstat(ledger).st_size - counted))


def _remove_oldest(most: int) -> None:
    there = sorted(things(), key=lambda thing: thing.last_use)
    size, now = sum(thing.size for thing in there), time.time()
    for thing in there:
        if size <= most:
            return
        if now - thing.last_use >= thing.kind.seconds_in_use:
            with suppress(OSError):
                thing.remove()
                size -= thing.size

"""Which code can be given to a driver, by digest.

Bad code can crash a driver and the process with it, so what comes from elsewhere is checked first.
That takes time; what passed once is remembered as an empty file, named by a SHA-256, in the user's
cache. Without a usable cache nothing is known and everything is checked.
"""

import os
import stat
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from dovetail.errors import InputError
from dovetail.files import cache_directory

_NO_CACHE = (InputError, OSError)


def remember(code: bytes, driver: str = "") -> None:
    """Record that a SPIR-V module is ours and valid or, of any code, that `driver` survived it.

    Code that is built together is recorded together: see `dovetail.runtime.trial.packed`.
    """
    with suppress(*_NO_CACHE):
        _entry(code, driver).touch(mode=0o600)


def is_known(code: bytes, driver: str = "") -> bool:
    """Whether this user has recorded exactly this before."""
    try:
        entry = _entry(code, driver)
        return _is_private(entry.parent) and _is_private(entry)
    except _NO_CACHE:
        return False


def _entry(code: bytes, driver: str) -> Path:
    # A module begins with its magic number, a driver's name does not, so the two kinds of entry
    # cannot meet.
    digest = sha256(driver.encode() + code).hexdigest()
    return cache_directory("validated") / digest


def _is_private(path: Path) -> bool:
    """Whether nobody but this user can have written `path`; otherwise it proves nothing."""
    status = path.lstat()
    return status.st_uid == os.getuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)

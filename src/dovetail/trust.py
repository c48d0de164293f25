"""Which SPIR-V modules can be given to a driver, by digest.

Bad SPIR-V can crash a driver and the process with it, so code that comes from elsewhere is checked
first. That takes time; what passed once is remembered as an empty file, named by a SHA-256, in the
user's cache. Without a usable cache nothing is known and everything is checked.
"""

import os
import stat
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from dovetail.errors import InputError
from dovetail.files import cache_directory

_NO_CACHE = (InputError, OSError)


def remember(spirv: bytes, driver: str = "") -> None:
    """Record that `spirv` is ours and valid or, if from elsewhere, that `driver` survived it."""
    with suppress(*_NO_CACHE):
        _entry(spirv, driver).touch(mode=0o600)


def is_known(spirv: bytes, driver: str = "") -> bool:
    """Whether this user has recorded exactly this before."""
    try:
        entry = _entry(spirv, driver)
        return _is_private(entry.parent) and _is_private(entry)
    except _NO_CACHE:
        return False


def _entry(spirv: bytes, driver: str) -> Path:
    # No module begins like a driver's name, so the two kinds of entry cannot meet.
    digest = sha256(driver.encode() + spirv).hexdigest()
    return cache_directory("validated") / digest


def _is_private(path: Path) -> bool:
    """Whether nobody but this user can have written `path`; otherwise it proves nothing."""
    status = path.lstat()
    return status.st_uid == os.getuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)

"""Which SPIR-V modules are known to be valid, by digest.

Invalid SPIR-V can crash a driver and the process with it, so a module is checked before a driver
sees it. That takes time; what passed once is remembered as an empty file, named by the module's
SHA-256, in the user's cache. Without a usable cache nothing is known and everything is checked.
"""

import os
import stat
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from dovetail.errors import InputError
from dovetail.files import cache_directory

# RuntimeError is what pathlib raises for a user without a home folder.
_NO_CACHE = (InputError, OSError, RuntimeError)


def remember(spirv: bytes) -> None:
    """Record that `spirv` passed the validator."""
    with suppress(*_NO_CACHE):
        _entry(spirv).touch(mode=0o600)


def is_known(spirv: bytes) -> bool:
    """Whether this user has recorded exactly these bytes before."""
    try:
        entry = _entry(spirv)
        return _is_private(entry.parent) and _is_private(entry)
    except _NO_CACHE:
        return False


def _entry(spirv: bytes) -> Path:
    return cache_directory("validated") / sha256(spirv).hexdigest()


def _is_private(path: Path) -> bool:
    """Whether nobody but this user can have written `path`; otherwise it proves nothing."""
    status = path.lstat()
    return status.st_uid == os.getuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)

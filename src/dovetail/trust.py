"""Code that is safe to pass to a driver, by digest.

Bad code can crash a driver together with this process, so untrusted code is validated first. Since
this takes time, the user's cache records valid code as empty files, named by a SHA-256. Without a
usable cache, code is always validated.
"""

from hashlib import sha256

from dovetail.cache import VALIDATED, is_own, note_use, own_directory, put_file
from dovetail.errors import InputError

_NO_CACHE = (InputError, OSError)


def remember(code: bytes, driver: str = "") -> None:
    """Record that a SPIR-V module is valid or, with `driver`, that this driver built the code.

    Code that is built together is recorded together: see `dovetail.runtime.sandboxed_build.packed`.
    """
    put_file(VALIDATED, _name(code, driver), b"")


def is_known(code: bytes, driver: str = "") -> bool:
    """Whether this code is recorded for this user and driver."""
    try:
        entry = own_directory(VALIDATED.name) / _name(code, driver)
        status = entry.lstat()
    except _NO_CACHE:
        return False
    # A file that other users could have written is no evidence.
    if not is_own(status):
        return False
    note_use(entry, status)
    return True


def _name(code: bytes, driver: str) -> str:
    # A module begins with its magic number and a driver's name does not, so the two kinds of
    # entries have different digests.
    return sha256(driver.encode() + code).hexdigest()

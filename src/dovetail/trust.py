"""Which code can be given to a driver, by digest.

Bad code can crash a driver and the process with it, so what comes from elsewhere is checked first.
That takes time; what passed once is remembered as an empty file, named by a SHA-256, in the user's
cache. Without a usable cache nothing is known and everything is checked.
"""

from hashlib import sha256

from dovetail.cache import VALIDATED, is_own, note_use, own_directory, put_file
from dovetail.errors import InputError

_NO_CACHE = (InputError, OSError)


def remember(code: bytes, driver: str = "") -> None:
    """Record that a SPIR-V module is ours and valid or, of any code, that `driver` survived it.

    Code that is built together is recorded together: see `dovetail.runtime.sandboxed_build.packed`.
    """
    put_file(VALIDATED, _name(code, driver), b"")


def is_known(code: bytes, driver: str = "") -> bool:
    """Whether this user has recorded exactly this before."""
    try:
        entry = own_directory(VALIDATED.name) / _name(code, driver)
        status = entry.lstat()
    except _NO_CACHE:
        return False
    # What others can have written proves nothing.
    if not is_own(status):
        return False
    note_use(entry, status)
    return True


def _name(code: bytes, driver: str) -> str:
    # A module begins with its magic number, a driver's name does not, so the two kinds of entry
    # cannot meet.
    return sha256(driver.encode() + code).hexdigest()

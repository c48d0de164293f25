"""Code that is safe to pass to a driver, by digest.

Bad code can crash a driver together with this process, so untrusted code is validated first. Since
this takes time, the user's cache records valid code as empty files, named by a SHA-256. The runtime
of a bundle records the code of its program in a file. Without a usable cache, other code is always
validated.
"""

from functools import cache
from hashlib import sha256
from pathlib import Path

from dovetail.cache import VALIDATED, is_own, note_use, own_directory, put_file
from dovetail.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_NO_CACHE = (InputError, OSError)

BUNDLED_CODE = Path(__file__).with_name("bundled_code")
"""In a bundle: the digests of its program's code, one in each line."""


def remember(code: bytes, driver: str = "") -> None:
    """Record that a SPIR-V module is valid or, with `driver`, that this driver built the code.

    Code that is built together is recorded together: see `dovetail.runtime.sandboxed_build.packed`.
    """
    put_file(VALIDATED, _name(code, driver), b"")


def is_known(code: bytes, driver: str = "") -> bool:
    """Whether this code is recorded for this user and driver, or comes with this runtime."""
    name = _name(code, driver)
    if name in _bundled():
        return True
    try:
        entry = own_directory(VALIDATED.name) / name
        status = entry.lstat()
    except _NO_CACHE:
        return False
    # Other users could have written the file.
    if not is_own(status):
        return False
    note_use(entry, status)
    return True


def records(codes: "Iterable[bytes]") -> bytes:
    """Return the content of `BUNDLED_CODE` for those SPIR-V modules that are recorded here."""
    return "".join(f"{_name(code, '')}\n" for code in codes if is_known(code)).encode()


@cache
def _bundled() -> frozenset[str]:
    try:
        return frozenset(BUNDLED_CODE.read_text().split())
    except OSError:
        return frozenset()


def _name(code: bytes, driver: str) -> str:
    # A module begins with its magic number and a driver's name does not, so the two kinds of
    # entries have different digests.
    return sha256(driver.encode() + code).hexdigest()

"""The kinds of items in the cache, one row each."""

from typing import NamedTuple

_DIGEST = "[0-9a-f]{64}"


class CacheKind(NamedTuple):
    """A kind of cached item, with a separate folder."""

    name: str
    description: str
    """For the output of `dovetail cache`."""
    file_names: str = _DIGEST
    """Pattern of the file names; files with other names are neither counted nor removed.

    The files of one item have the same name up to the first dot.
    """
    min_idle_s: float = 0
    """Seconds since the last use before an item may be removed to make room."""
    can_be_disabled: bool = True
    """Whether `DOVETAIL_CACHE=off` disables lookup and storage."""


PROGRAMS = CacheKind("programs", "programs built by drivers for a device")
HEADERS = CacheKind(
    "headers",
    "precompiled SYCL headers",
    r"(?:host|device)-[0-9a-f]{32}\.(?:pch|o|inputs\.json)",
    # Clang opens a header some time after its name was passed; uses are recorded once an hour.
    min_idle_s=2 * 3600,
)
STEPS = CacheKind("steps", "results of build steps")
VALIDATED = CacheKind("validated", "digests of code that is safe to pass to drivers")
COMPILERS = CacheKind(
    "compilers", "versions and features of the targets' compilers", can_be_disabled=False
)

KINDS = (PROGRAMS, HEADERS, STEPS, VALIDATED, COMPILERS)

"""The kinds of things in the cache, one row each."""

from typing import NamedTuple

_DIGEST = "[0-9a-f]{64}"


class Kind(NamedTuple):
    """A folder of the cache."""

    name: str
    holds: str
    """What is in it, for those who look."""
    file_names: str = _DIGEST
    """An expression for the names that we give; no other file is counted or removed.

    The files of one thing have the same name up to the first dot.
    """
    seconds_in_use: float = 0
    """How long after its last use a thing must not be removed to make room."""
    is_made_by_builds: bool = True
    """Whether it is neither looked for nor kept by who wants everything to be made anew."""


PROGRAMS = Kind("programs", "programs that drivers have built for a device")
HEADERS = Kind(
    "headers",
    "precompiled SYCL headers",
    r"(?:host|device)-[0-9a-f]{32}\.(?:pch|o|inputs\.json)",
    # Clang is told a header's name and reads it later; a use may be noted an hour late.
    seconds_in_use=2 * 3600,
)
STEPS = Kind("steps", "what the steps of builds have made")
VALIDATED = Kind("validated", "digests of code that is safe to give to drivers")
COMPILERS = Kind(
    "compilers", "what the compilers of targets say of themselves", is_made_by_builds=False
)

KINDS = (PROGRAMS, HEADERS, STEPS, VALIDATED, COMPILERS)

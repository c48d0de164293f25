"""What is kept between processes, so that it is made once: the user's cache.

A folder with one folder for each kind of thing. Most kinds are entries: bytes that are found by a
digest of everything they were made from. Without a usable cache everything works, only slower.
"""

from dovetail.cache.contents import note_use
from dovetail.cache.entry import key_of
from dovetail.cache.folder import cache_directory, cache_path, is_own, own_directory
from dovetail.cache.kinds import COMPILERS, HEADERS, PROGRAMS, STEPS, VALIDATED
from dovetail.cache.store import get, get_parsed, is_on, put, put_file

__all__ = [
    "COMPILERS",
    "HEADERS",
    "PROGRAMS",
    "STEPS",
    "VALIDATED",
    "cache_directory",
    "cache_path",
    "get",
    "get_parsed",
    "is_on",
    "is_own",
    "key_of",
    "note_use",
    "own_directory",
    "put",
    "put_file",
]

"""The user's cache, which stores results across processes.

It has one folder for each kind of item. Most items are entries: bytes under a key, which is a
digest of all inputs that they depend on. Without a usable cache everything works, only slower.
"""

from dovetail.cache.entry import key_of, note_use
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

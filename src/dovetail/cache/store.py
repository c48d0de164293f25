"""Reading and writing entries. Failures are warnings: what cannot be cached is computed again."""

import errno
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import TypeVar

from dovetail.cache.entry import DamagedEntry, encode_entry, read_entry
from dovetail.cache.folder import cache_directory, cache_path, own_directory
from dovetail.cache.kinds import CacheKind
from dovetail.errors import FormatError, InputError, IRError
from dovetail.files import write_private
from dovetail.printable import visible
from dovetail.settings import CACHE, CACHE_DIR

Parsed = TypeVar("Parsed")

_warned_topics: set[str] = set()
_warned_lock = Lock()

_SIGNS_OF_DAMAGE = (errno.ELOOP, errno.ENXIO, errno.EACCES, errno.EIO)
"""A link, a socket, missing permissions, a bad disk. Other errors do not concern the entry."""


def is_on() -> bool:
    """Whether the cache is enabled for the kinds that can be disabled."""
    return CACHE.value() == "on"


def get(kind: CacheKind, key: str) -> bytes | None:
    """Return the entry for `key`, or None if there is none or it is damaged."""
    if kind.can_be_disabled and not is_on():
        return None
    try:
        return _read(own_directory(kind.name) / key, key)
    except InputError as error:
        _warn_unusable(error)
    except OSError:
        # There is no cache yet; if it cannot be created, `put` warns.
        pass
    return None


def get_parsed(kind: CacheKind, key: str, parse: Callable[[bytes], Parsed]) -> Parsed | None:
    """Return the parsed entry for `key`, or None if there is none or it is damaged.

    An entry for which `parse` raises `FormatError` or `IRError` is removed with a warning, like one
    with a wrong digest.
    """
    content = get(kind, key)
    if content is None:
        return None
    try:
        return parse(content)
    except (FormatError, IRError) as error:
        _discard(cache_path(kind.name) / key, error.message)
        return None


def put(kind: CacheKind, key: str, content: bytes) -> None:
    """Store `content` under `key`, replacing an existing entry."""
    if kind.can_be_disabled and not is_on():
        return
    # Imported late, here and below: most runs of programs only read the cache.
    from dovetail.cache.size_limit import fits

    data = encode_entry(key, content)
    if fits(len(data)):
        # Not synced to the disk: after a power failure, the digest does not match.
        put_file(kind, key, data)


def put_file(kind: CacheKind, name: str, data: bytes) -> bool:
    """Write a file into the folder of a kind; warn on failure, and return whether it succeeded.

    Everything that is written into the cache is written here.
    """
    from dovetail.cache.size_limit import make_room

    try:
        path = cache_directory(kind.name) / name
        make_room(len(data))
        write_private(path, data)
    except InputError as error:
        _warn_unusable(error)
        return False
    return True


def _read(path: Path, key: str) -> bytes | None:
    """Return the content of an entry, or None; remove the entry if it is damaged."""
    try:
        return read_entry(path, key)
    except OSError as error:
        if error.errno not in _SIGNS_OF_DAMAGE:
            return None
        damage = error.strerror
    except DamagedEntry as error:
        damage = str(error)
    _discard(path, damage)
    return None


def _discard(path: Path, damage: str | None) -> None:
    """Remove a damaged entry with a warning."""
    _warn_once(str(path), f"the cache entry '{path}' is damaged and will be replaced: {damage}")
    _remove(path)


def _remove(path: Path) -> None:
    with suppress(OSError):
        try:
            path.unlink()
        except (IsADirectoryError, PermissionError):
            path.rmdir()


def _warn_unusable(error: InputError) -> None:
    """Warn once in a process, since most entries would fail for the same reason."""
    hint = error.hint or (
        f"set {CACHE_DIR.variable} to a writable folder, or {CACHE.variable} to off"
    )
    _warn_once("unusable", f"results are not cached: {error.message}", hint)


def _warn_once(topic: str, message: str, hint: str = "") -> None:
    """Print a warning on standard error, once for each topic in a process."""
    with _warned_lock:
        if topic in _warned_topics:
            return
        _warned_topics.add(topic)
    lines = [f"dovetail: warning: {message}", *([f"dovetail: {hint}"] if hint else [])]
    # Standard error may be closed, or a broken pipe.
    with suppress(OSError, ValueError, AttributeError):
        sys.stderr.write("\n".join(map(visible, lines)) + "\n")

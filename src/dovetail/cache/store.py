"""Getting and putting entries. Nothing here fails: what cannot be kept is made anew each time."""

import errno
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from dovetail.cache.bound import fits, make_room
from dovetail.cache.complaints import warn_once
from dovetail.cache.entry import DamagedEntry, packed, read_entry
from dovetail.cache.folder import cache_directory, cache_path, own_directory
from dovetail.cache.kinds import Kind
from dovetail.errors import FormatError, InputError, IRError
from dovetail.files import write_private
from dovetail.settings import CACHE, CACHE_DIR

Parsed = TypeVar("Parsed")

_SIGNS_OF_DAMAGE = (errno.ELOOP, errno.ENXIO, errno.EACCES, errno.EIO)
"""A link, a socket, rights taken away, a bad disk. Other failures say nothing of the entry."""


def is_on() -> bool:
    """Whether entries are looked for and kept."""
    value = CACHE.value().lower()
    if value not in ("on", "off"):
        warn_once(CACHE.variable, f"{CACHE.variable} is '{value}'; it can be 'on' or 'off'")
    return value != "off"


def get(kind: Kind, key: str) -> bytes | None:
    """What was put under a key, exactly; None if there is nothing, or nothing intact."""
    if kind.is_made_by_builds and not is_on():
        return None
    try:
        return _read(own_directory(kind.name) / key, key)
    except InputError as error:
        _warn_unusable(error)
    except OSError:
        # There is no cache yet; if there cannot be one, who puts something into it is told.
        pass
    return None


def get_parsed(kind: Kind, key: str, parse: Callable[[bytes], Parsed]) -> Parsed | None:
    """Return what `parse` makes of the entry under a key, or None if there is no such entry.

    An entry that `parse` refuses with `FormatError` or `IRError` is as damaged as one whose digest
    is wrong: it is removed with a warning.
    """
    content = get(kind, key)
    if content is None:
        return None
    try:
        return parse(content)
    except (FormatError, IRError) as error:
        _discard(cache_path(kind.name) / key, error.message)
        return None


def put(kind: Kind, key: str, content: bytes) -> None:
    """Keep `content` under a key, in place of what was there, until it has to make room."""
    if kind.is_made_by_builds and not is_on():
        return
    data = packed(key, content)
    if fits(len(data)):
        # It is not forced onto the disk: should the machine go down, the digest will not match.
        put_file(kind, key, data)


def put_file(kind: Kind, name: str, data: bytes) -> bool:
    """Write a plain file into the folder of a kind; return whether that was possible.

    Everything that is written into the cache is written here: what goes wrong is a warning.
    """
    try:
        path = cache_directory(kind.name) / name
        make_room(len(data))
        write_private(path, data)
    except InputError as error:
        _warn_unusable(error)
        return False
    return True


def _read(path: Path, key: str) -> bytes | None:
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
    """Remove a damaged entry, and say why."""
    warn_once(str(path), f"the cache entry '{path}' is damaged and made anew: {damage}")
    _remove(path)


def _remove(path: Path) -> None:
    with suppress(OSError):
        try:
            path.unlink()
        except (IsADirectoryError, PermissionError):
            path.rmdir()


def _warn_unusable(error: InputError) -> None:
    """Once a process: what goes wrong with one entry goes wrong with most."""
    hint = error.hint or (
        f"set {CACHE_DIR.variable} to a folder that can be written, or {CACHE.variable} to off"
    )
    warn_once("unusable", f"nothing is kept in the cache: {error.message}", hint)

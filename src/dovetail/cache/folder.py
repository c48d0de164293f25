"""The folder of the cache: its path, and the check that only this user can write to it.

Its content is compiled and passed to drivers without further validation, so anyone who can write to
it can run code as this user.
"""

import errno
import os
import stat
from pathlib import Path

from dovetail.errors import InputError
from dovetail.settings import CACHE_DIR

_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


def cache_root() -> Path:
    """Return the folder of the cache, which may not exist yet."""
    configured = CACHE_DIR.value()
    return Path(configured) if configured else _user_cache() / "dovetail"


def cache_path(kind: str) -> Path:
    """Return the folder for items of one kind, which may not exist yet."""
    return cache_root() / kind


def own_directory(kind: str) -> Path:
    """Return the folder for a kind; `OSError` or `InputError` if it is missing or not private."""
    directory = cache_path(kind)
    # Others may have put a link in place of the folder; the user chose the path of the cache.
    _refuse_others(directory, directory.lstat())
    _refuse_others(directory.parent, directory.parent.stat())
    return directory


def cache_directory(kind: str) -> Path:
    """Return the folder for a kind, and create it if missing.

    `InputError` if it cannot be created, or is not private.
    """
    try:
        try:
            return own_directory(kind)
        except FileNotFoundError:
            _make(cache_path(kind))
            return own_directory(kind)
    except OSError as error:
        raise InputError(
            f"cannot create the cache folder '{cache_path(kind)}': {error.strerror}",
            hint=f"set {CACHE_DIR.variable} to a writable folder",
        ) from None


def is_own(status: os.stat_result) -> bool:
    """Whether only this user can have written a file with this status."""
    return status.st_uid == os.geteuid() and not status.st_mode & _OTHERS_WRITE


def _refuse_others(folder: Path, status: os.stat_result) -> None:
    """Raise an error unless this is a folder of the user, to which no other user can write."""
    if not stat.S_ISDIR(status.st_mode):
        raise NotADirectoryError(errno.ENOTDIR, "Not a directory")
    if status.st_uid != os.geteuid():
        raise InputError(
            f"the cache folder '{folder}' belongs to another user",
            hint=f"set {CACHE_DIR.variable} to a folder of your own",
        )
    if status.st_mode & _OTHERS_WRITE:
        raise InputError(
            f"the cache folder '{folder}' can be written by others",
            hint=f"run 'chmod go-w {folder}'",
        )


def _make(directory: Path) -> None:
    """Create a directory and its parents, private whatever the umask is."""
    missing = [folder for folder in (directory, *directory.parents) if not folder.exists()]
    for folder in reversed(missing):
        folder.mkdir(mode=0o700, exist_ok=True)


def _user_cache() -> Path:
    """Return the folder for caches of all programs of this user."""
    configured = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if configured.is_absolute():
        return configured
    try:
        return Path.home() / ".cache"
    except RuntimeError:
        raise InputError(
            "there is no cache folder: this user has no home directory",
            hint=f"set {CACHE_DIR.variable} to a writable folder",
        ) from None

"""The cache's folder: where it is, and that it is this user's alone.

What lies in it is compiled in and handed to drivers without further checks, so whoever can write
there can do anything in this user's name.
"""

import errno
import os
import stat
from pathlib import Path

from dovetail.errors import InputError
from dovetail.settings import CACHE_DIR

_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


def cache_root() -> Path:
    """The folder of the whole cache, which may not be there yet."""
    configured = CACHE_DIR.value()
    return Path(configured) if configured else _user_cache() / "dovetail"


def cache_path(kind: str) -> Path:
    """The folder for things of one kind, which may not be there yet."""
    return cache_root() / kind


def own_directory(kind: str) -> Path:
    """That folder if it is there and this user's alone; else `OSError` or `InputError`."""
    directory = cache_path(kind)
    # Others can put a link in the place of a folder, but only the user has chosen the first name.
    _refuse_others(directory, directory.lstat())
    _refuse_others(directory.parent, directory.parent.stat())
    return directory


def cache_directory(kind: str) -> Path:
    """That folder, made on first use; `InputError` if it cannot be, or is not the user's alone."""
    try:
        try:
            return own_directory(kind)
        except FileNotFoundError:
            _make(cache_path(kind))
            return own_directory(kind)
    except OSError as error:
        raise InputError(
            f"cannot make the cache folder '{cache_path(kind)}': {error.strerror}",
            hint=f"set {CACHE_DIR.variable} to a folder that can be written",
        ) from None


def is_own(status: os.stat_result) -> bool:
    """Whether nobody but this user can have written what has this status."""
    return status.st_uid == os.geteuid() and not status.st_mode & _OTHERS_WRITE


def _refuse_others(folder: Path, status: os.stat_result) -> None:
    if not stat.S_ISDIR(status.st_mode):
        raise NotADirectoryError(errno.ENOTDIR, "it is no folder")
    if status.st_uid != os.geteuid():
        raise InputError(
            f"the cache folder '{folder}' belongs to another user",
            hint=f"set {CACHE_DIR.variable} to a folder of your own",
        )
    if status.st_mode & _OTHERS_WRITE:
        raise InputError(
            f"the cache folder '{folder}' can be written by others",
            hint=f"'chmod go-w {folder}' mends that",
        )


def _make(directory: Path) -> None:
    """Make it and all that leads there, private whatever the user's mask lets pass."""
    missing = [folder for folder in (directory, *directory.parents) if not folder.exists()]
    for folder in reversed(missing):
        folder.mkdir(mode=0o700, exist_ok=True)


def _user_cache() -> Path:
    configured = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if configured.is_absolute():
        return configured
    try:
        return Path.home() / ".cache"
    except RuntimeError:
        raise InputError(
            "there is no cache folder: this user has no home",
            hint=f"set {CACHE_DIR.variable} to a folder that can be written",
        ) from None

"""The items in the cache: listing and removing them.

Other processes may do the same concurrently. The modification time of a file is the time of its
last use. (Many systems do not record access times.)
"""

import os
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from dovetail.cache.folder import cache_directory, cache_path
from dovetail.cache.kinds import KINDS, CacheKind
from dovetail.errors import InputError
from dovetail.files import disk_usage

_UNFINISHED = r"\.(?:[0-9a-f]{50}|(?:host|device)-[0-9a-f]{32}\.[a-z.]+)\.[0-9a-f]{16}"
"""Names of the temporary files that `dovetail.files` renames when they are complete."""

_ABANDONED_AFTER_S = 600
"""An unfinished file without changes for this time has no writer any more."""


class CachedItem:
    """An item that is stored and removed as a unit: an entry, or a header with its other files."""

    def __init__(self, kind: CacheKind, last_use: float) -> None:
        self.kind = kind
        self.last_use = last_use
        self.size = 0
        """Disk usage in bytes."""
        self.files: list[Path] = []

    def remove(self) -> None:
        """Remove the files that still exist; `OSError` on failure."""
        for file in self.files:
            file.unlink(missing_ok=True)


def cached_items(kinds: Iterable[CacheKind] = KINDS) -> list[CachedItem]:
    """Return the items of some kinds; a snapshot, as other processes write and remove items."""
    found: dict[tuple[CacheKind, str], CachedItem] = {}
    for kind in kinds:
        file_names = re.compile(kind.file_names)
        for file, status in _files(kind):
            if not file_names.fullmatch(file.name):
                continue
            item = found.setdefault(
                (kind, file.name.partition(".")[0]), CachedItem(kind, status.st_mtime)
            )
            item.last_use = max(item.last_use, status.st_mtime)
            item.size += disk_usage(status.st_size)
            item.files.append(Path(file.path))
    return list(found.values())


def remove_unfinished_files(kinds: Iterable[CacheKind] = KINDS) -> None:
    """Remove unfinished files of writers that were killed."""
    oldest, unfinished = time.time() - _ABANDONED_AFTER_S, re.compile(_UNFINISHED)
    for kind in kinds:
        for file, status in _files(kind):
            if status.st_mtime < oldest and unfinished.fullmatch(file.name):
                with suppress(OSError):
                    Path(file.path).unlink()


def clear(kinds: Sequence[CacheKind], seconds_unused: float) -> list[CachedItem]:
    """Remove the items that were unused for this long, and return them; `InputError` on failure."""
    latest = time.time() - seconds_unused
    chosen = [item for item in cached_items(kinds) if not seconds_unused or item.last_use <= latest]
    for item in chosen:
        # Checked first: in a folder that others can write, names may lead anywhere.
        folder = cache_directory(item.kind.name)
        try:
            item.remove()
        except OSError as error:
            raise InputError(f"cannot remove from '{folder}': {error.strerror}") from None
    remove_unfinished_files(kinds)
    return chosen


def _files(kind: CacheKind) -> Iterator[tuple[os.DirEntry[str], os.stat_result]]:
    with suppress(OSError), os.scandir(cache_path(kind.name)) as entries:
        for entry in entries:
            with suppress(FileNotFoundError):
                if entry.is_file(follow_symlinks=False):
                    yield entry, entry.stat(follow_symlinks=False)

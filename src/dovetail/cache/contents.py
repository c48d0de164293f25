"""What is in the cache: noting the use of things, counting and removing them.

Other processes may do so at the same time. The time of last use is that of a file's last change,
which nothing else needs. (The time of its last access is not kept on many systems.)
"""

import os
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from dovetail.cache.folder import cache_directory, cache_path
from dovetail.cache.kinds import KINDS, Kind
from dovetail.errors import InputError

BLOCK = 4096
"""Bytes. Files take up whole blocks, and an empty one needs some room in its folder too."""

_LEFTOVER = r"\.(?:[0-9a-f]{50}|(?:host|device)-[0-9a-f]{32}\.[a-z.]+)\.[0-9a-f]{16}"
"""The names under which `dovetail.files` begins the files of all kinds."""

_PRECISION = 3600
"""Seconds. What was noted more recently is not noted again: most uses write nothing."""

_WRITERS_SECONDS = 600
"""After so long without a change nobody is writing a file any more."""


class Thing:
    """What is kept or removed as a whole: an entry, or a header with the files that go with it."""

    def __init__(self, kind: Kind, last_use: float) -> None:
        self.kind = kind
        self.last_use = last_use
        self.size = 0
        """Of the room that it takes up, in bytes."""
        self.files: list[Path] = []

    def remove(self) -> None:
        """Remove it, unless another process has; `OSError` if that cannot be done."""
        for file in self.files:
            file.unlink(missing_ok=True)


def note_use(file: int | os.PathLike[str], status: os.stat_result) -> None:
    """Note that a file with this status is used now, if it can be noted."""
    # A time that is still to come is wrong, and would keep the file for ever.
    if not 0 <= time.time() - status.st_mtime < _PRECISION:
        with suppress(OSError):
            os.utime(file)


def room_for(size: int) -> int:
    """What a file of `size` bytes takes up."""
    return max(1, -(-size // BLOCK)) * BLOCK


def things(kinds: Iterable[Kind] = KINDS) -> list[Thing]:
    """All there is of some kinds, as good as can be told while others write and remove."""
    found: dict[tuple[Kind, str], Thing] = {}
    for kind in kinds:
        ours = re.compile(kind.file_names)
        for file, status in _files(kind):
            if not ours.fullmatch(file.name):
                continue
            thing = found.setdefault(
                (kind, file.name.partition(".")[0]), Thing(kind, status.st_mtime)
            )
            thing.last_use = max(thing.last_use, status.st_mtime)
            thing.size += room_for(status.st_size)
            thing.files.append(Path(file.path))
    return list(found.values())


def remove_leftovers(kinds: Iterable[Kind] = KINDS) -> None:
    """Remove what writers began and never finished, because they were killed."""
    long_ago, leftover = time.time() - _WRITERS_SECONDS, re.compile(_LEFTOVER)
    for kind in kinds:
        for file, status in _files(kind):
            if status.st_mtime < long_ago and leftover.fullmatch(file.name):
                with suppress(OSError):
                    Path(file.path).unlink()


def clear(kinds: Sequence[Kind], seconds_unused: float) -> list[Thing]:
    """Remove what has not been used for so long, and return it; `InputError` if that fails."""
    latest = time.time() - seconds_unused
    chosen = [thing for thing in things(kinds) if not seconds_unused or thing.last_use <= latest]
    for thing in chosen:
        # In a folder of others', names may lead anywhere.
        folder = cache_directory(thing.kind.name)
        try:
            thing.remove()
        except OSError as error:
            raise InputError(f"cannot remove from '{folder}': {error.strerror}") from None
    remove_leftovers(kinds)
    return chosen


def _files(kind: Kind) -> Iterator[tuple[os.DirEntry[str], os.stat_result]]:
    with suppress(OSError), os.scandir(cache_path(kind.name)) as entries:
        for entry in entries:
            with suppress(FileNotFoundError):
                if entry.is_file(follow_symlinks=False):
                    yield entry, entry.stat(follow_symlinks=False)

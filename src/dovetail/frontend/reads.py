"""What a compiler read, and where it looked: enough to tell later whether it would read the same.

    reads = Reads.observed(paths, names, folders, started)
    ...
    reads.hold()

A file counts by its content. To read all of them again each time would take long, so a file that
has the size, times and number that it had is taken for unchanged. What was looked for counts as
well: a header that turns up earlier on the search path, or that `__has_include` would find now,
changes what a source means. So for each folder that was searched it is known which of the names it
had. A folder that has the time that it had has the same names.
"""

import json
import os
import re
import stat
import time
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

from dovetail.errors import FormatError
from dovetail.json_shape import check_shape

_NOT_YET_SETTLED = 2_000_000_000
"""Nanoseconds. What changed so recently may change again without another time to show for it."""

_SOUGHT = (
    rb"(?:#[ \t]*(?:include|include_next|import)|__has_include(?:_next)?[ \t]*\()[ \t]*"
    rb'(?:<([^>\n]+)>|"([^"\n]+)")'
)
_MADE_UP = rb"#[ \t]*(?:include|include_next|import)[ \t]+[A-Za-z_]"
_UNTELLABLE = (b"__TIMESTAMP__", b"__TIME__", b"__DATE__", b"incbin", b"__has_embed")
_UNTELLABLE_NAMES = rb"__has_include(?:_next)?[ \t]*\([ \t]*[A-Za-z_]|#[ \t]*embed\b"

_CLOCK_OF_FILES = 5
"""Linux's CLOCK_REALTIME_COARSE, which Python has no name for. It lags behind other clocks."""

_SHAPE = (
    {str: (str, int, int, int, int, bool)},
    [[str]],
    [(str, int, int, int, [str])],
)
"""Of what `Reads.fields` gives: files, names, folders."""

EPOCH = "SOURCE_DATE_EPOCH"
"""What fixes the time for compilers, if it is set."""


class FileState(NamedTuple):
    """A file as it was."""

    digest: str
    size: int
    changed: int
    """Its time, in nanoseconds; then that of its status."""
    status_changed: int
    number: int
    is_settled: bool
    """Whether a change would have shown in these numbers."""


class FolderState(NamedTuple):
    """A folder that was searched."""

    path: str
    names: int
    """Which of the lists of names was looked for there; -1 if the whole folder counts."""
    changed: int
    """Its time; 0 if a change might not show in it, or if there is no such folder."""
    number: int
    present: list[str]


class Sought(NamedTuple):
    """Names that were looked for: those in quotes beside the files that name them as well."""

    angled: frozenset[str] = frozenset()
    quoted: frozenset[str] = frozenset()
    some_made_up: bool = False
    """Whether there are names that macros stand for, maybe in quotes."""


def now() -> int:
    """The time, as the system would note it for a file that is written now."""
    return time.clock_gettime_ns(_CLOCK_OF_FILES)


class Reads(NamedTuple):
    """All that was read and looked for."""

    files: dict[str, FileState]
    names: list[list[str]]
    folders: list[FolderState]

    @classmethod
    def observed(
        cls, files: Iterable[str], places: Mapping[str, Iterable[str] | None], started: int
    ) -> "Reads | None":
        """What was read since a moment; None if some of it has changed since then.

        `places` says which names were looked for in which folders; None stands for all of them.
        """
        states: dict[str, FileState] = {}
        for path in files:
            state = _file_state(path)
            if state is None or max(state.changed, state.status_changed) >= started:
                return None
            states[path] = state
        names: dict[tuple[str, ...], int] = {}
        folders: list[FolderState] = []
        for folder, sought in places.items():
            listed = None if sought is None else tuple(sorted(sought))
            number = -1 if listed is None else names.setdefault(listed, len(names))
            folders.append(_folder_state(folder, number, listed))
        return cls(states, [list(each) for each in names], folders)

    @classmethod
    def of_fields(cls, fields: Any) -> "Reads":
        """From what `fields` gave; `FormatError` if it is something else."""
        check_shape(fields, _SHAPE)
        files, names, listed = fields
        folders = [FolderState(*state) for state in listed]
        if not all(-1 <= folder.names < len(names) for folder in folders):
            raise FormatError("a folder was searched for names that are not there")
        return cls({path: FileState(*state) for path, state in files.items()}, names, folders)

    def fields(self) -> Any:
        """As JSON has it."""
        return [self.files, self.names, self.folders]

    @property
    def identity(self) -> str:
        """The same for the same contents in the same places."""
        contents = [(path, state.digest) for path, state in sorted(self.files.items())]
        present = sorted((folder.path, folder.present) for folder in self.folders)
        return sha256(json.dumps([contents, present]).encode()).hexdigest()

    def hold(self, *, to_the_time: bool = False) -> bool:
        """Whether all is as it was.

        For a precompiled header it has to be so `to_the_time`: clang refuses files that were
        written again, whatever is in them.
        """
        return all(
            _is_unchanged(path, state, to_the_time=to_the_time)
            for path, state in self.files.items()
        ) and all(map(self._is_unchanged_folder, self.folders))

    def _is_unchanged_folder(self, state: FolderState) -> bool:
        try:
            status = os.stat(state.path)
            if state.changed and (status.st_mtime_ns, status.st_ino) == state[2:4]:
                return True
            names = None if state.names < 0 else self.names[state.names]
            return _present(state.path, names) == state.present
        except (OSError, ValueError):
            # No path has a zero in it, or half a character.
            return not state.present


def sought_by(texts: Iterable[bytes]) -> Sought:
    """What sources say that they include, or ask whether they could."""
    found: set[tuple[bytes, bytes]] = set()
    some_made_up = False
    for text in texts:
        found.update(re.findall(_SOUGHT, text))
        some_made_up = some_made_up or bool(re.search(_MADE_UP, text))
    angled = {angled.decode(errors="surrogateescape") for angled, _ in found if angled}
    quoted = {quoted.decode(errors="surrogateescape") for _, quoted in found if quoted}
    return Sought(frozenset(angled), frozenset(quoted), some_made_up)


def can_be_told(text: bytes) -> bool:
    """Whether what a source means follows from the files that it includes.

    It does not if it asks for the time, embeds files, or looks for headers by names that are made
    up as it is read.
    """
    has_time = any(word in text for word in _UNTELLABLE)
    if has_time and not (EPOCH in os.environ and not any(w in text for w in _UNTELLABLE[3:])):
        return False
    return not re.search(_UNTELLABLE_NAMES, text)


def places_of(
    sought: Sought, files: Iterable[str], search: Sequence[str]
) -> dict[str, set[str] | None]:
    """Which names are looked for in which folders, along the search path and beside the files."""
    places: dict[str, set[str] | None] = {}
    read = list(files)
    beside = dict.fromkeys(os.path.dirname(path) or "." for path in read)
    is_folder: dict[str, bool] = {}

    def look(folder: str, name: str) -> None:
        folder = "/" if name.startswith("/") else folder
        for part in name.split("/"):
            known = places.setdefault(folder, set())
            if known is not None and part not in ("", "."):
                known.add(part)
            folder = os.path.join(folder, part)
            if folder not in is_folder:
                is_folder[folder] = os.path.isdir(folder)
            if not is_folder[folder]:
                return

    # A name that a macro stands for is known by the file that was found.
    found = {
        path[len(folder) + 1 :]
        for folder in search
        for path in read
        if path.startswith(folder + "/")
    }
    for folder in search:
        for name in sought.angled | sought.quoted | found:
            look(folder, name)
    for folder in beside:
        for name in sought.quoted.union(found if sought.some_made_up else ()):
            look(folder, name)
    places |= dict.fromkeys(_version_folders(search))
    return places


def _version_folders(search: Iterable[str]) -> Iterable[str]:
    """Where the compiler chose among versions of another one: `/usr/lib/gcc/x86_64-linux-gnu`."""
    for folder in search:
        chosen, up, _ = folder.partition("/../")
        if up:
            yield os.path.dirname(chosen)


def _file_state(path: str) -> FileState | None:
    try:
        status = os.stat(path)
        # To open a pipe may wait for ever.
        if not stat.S_ISREG(status.st_mode):
            return None
        digest = _digest(path)
    except OSError:
        return None
    last = max(status.st_mtime_ns, status.st_ctime_ns)
    return FileState(
        digest,
        status.st_size,
        status.st_mtime_ns,
        status.st_ctime_ns,
        status.st_ino,
        last < now() - _NOT_YET_SETTLED,
    )


def _is_unchanged(path: str, state: FileState, *, to_the_time: bool) -> bool:
    try:
        status = os.stat(path)
        # A pipe or a device may never end.
        if not stat.S_ISREG(status.st_mode):
            return False
        size_and_time = (status.st_size, status.st_mtime_ns)
        if state.is_settled and state[1:5] == (*size_and_time, status.st_ctime_ns, status.st_ino):
            return True
        if status.st_size != state.size or (to_the_time and size_and_time != state[1:3]):
            return False
        return _digest(path) == state.digest
    except (OSError, ValueError):
        return False


def _digest(path: str) -> str:
    with open(path, "rb") as file:
        return sha256(file.read()).hexdigest()


def _folder_state(path: str, number: int, names: Iterable[str] | None) -> FolderState:
    try:
        status = os.stat(path)
        present = _present(path, names)
    except OSError:
        return FolderState(path, number, 0, 0, [])
    is_settled = status.st_mtime_ns < now() - _NOT_YET_SETTLED
    return FolderState(
        path, number, status.st_mtime_ns if is_settled else 0, status.st_ino, present
    )


def _present(folder: str, names: Iterable[str] | None) -> list[str]:
    there = set(os.listdir(folder))
    return sorted(there if names is None else there.intersection(names))

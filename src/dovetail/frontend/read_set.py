"""The files that a compiler or linker read and the folders that it searched: its read set.

    read_set = ReadSet.record(paths, folders, started)
    ...
    read_set.is_current()

A step's result can be reused if its read set is unchanged. Files count by content; a file whose
size, times and inode are unchanged is not read again. Lookups that failed count too, because a
header that appears earlier on the search path, or that `__has_include` now finds, changes what a
source means. So each searched folder is recorded with the looked-up names that it contained. A
folder whose modification time is unchanged contains the same names.
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

_TIMESTAMP_MARGIN_NS = 2_000_000_000
"""A file modified this recently may be modified again without a change of its timestamp."""

_LOOKUP = (
    rb"(?:#[ \t]*(?:include|include_next|import)|__has_include(?:_next)?[ \t]*\()[ \t]*"
    rb'(?:<([^>\n]+)>|"([^"\n]+)")'
)
_COMPUTED_INCLUDE = rb"#[ \t]*(?:include|include_next|import)[ \t]+[A-Za-z_]"
_TIME_MACROS = (b"__TIMESTAMP__", b"__TIME__", b"__DATE__")
_EMBEDDING = (b"incbin", b"__has_embed")
_COMPUTED_LOOKUP = rb"__has_include(?:_next)?[ \t]*\([ \t]*[A-Za-z_]|#[ \t]*embed\b"

_FILE_CLOCK = 5
"""Linux's CLOCK_REALTIME_COARSE, which timestamps files. Python has no name for it."""

_SHAPE = (
    {str: (str, int, int, int, int, bool)},
    [[str]],
    [(str, int, int, int, [str])],
)
"""The JSON shape of `ReadSet.fields`: files, names, folders."""

EPOCH = "SOURCE_DATE_EPOCH"
"""The environment variable that fixes the time that compilers see."""


class FileState(NamedTuple):
    """The state of a file when it was read."""

    digest: str
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    has_reliable_times: bool
    """Whether any later change shows in size, times or inode."""


class FolderState(NamedTuple):
    """The state of a folder when it was searched."""

    path: str
    names: int
    """The index of the list of names that were looked up there; -1 if every name counts."""
    mtime_ns: int
    """0 if a later change might not show in it, or if the folder does not exist."""
    inode: int
    present: list[str]
    """The names that it contained."""


class SearchedNames(NamedTuple):
    """Names that were looked up; quoted ones in the folder of the including file, too."""

    angled: frozenset[str] = frozenset()
    quoted: frozenset[str] = frozenset()
    has_computed: bool = False
    """Whether there are computed includes, which may expand to quoted names."""


def now() -> int:
    """Return the timestamp that a file written now would get, in nanoseconds."""
    return time.clock_gettime_ns(_FILE_CLOCK)


class ReadSet(NamedTuple):
    """The files that a program read and the names that it looked up."""

    files: dict[str, FileState]
    names: list[list[str]]
    folders: list[FolderState]

    @classmethod
    def record(
        cls, files: Iterable[str], lookups: Mapping[str, Iterable[str] | None], started: int
    ) -> "ReadSet | None":
        """Return the read set of a program, or None if a file changed after it `started`.

        `lookups` maps folders to the names that were looked up there, or to None for all names.
        """
        states: dict[str, FileState] = {}
        for path in files:
            state = _file_state(path)
            if state is None or max(state.mtime_ns, state.ctime_ns) >= started:
                return None
            states[path] = state
        names: dict[tuple[str, ...], int] = {}
        folders: list[FolderState] = []
        for folder, looked_up in lookups.items():
            listed = None if looked_up is None else tuple(sorted(looked_up))
            number = -1 if listed is None else names.setdefault(listed, len(names))
            folders.append(_folder_state(folder, number, listed))
        return cls(states, [list(each) for each in names], folders)

    @classmethod
    def from_fields(cls, fields: Any) -> "ReadSet":
        """Return the read set with these `fields`; raise `FormatError` if they are malformed."""
        check_shape(fields, _SHAPE)
        files, names, listed = fields
        folders = [FolderState(*state) for state in listed]
        if not all(-1 <= folder.names < len(names) for folder in folders):
            raise FormatError("a folder refers to a list of names that does not exist")
        return cls({path: FileState(*state) for path, state in files.items()}, names, folders)

    def fields(self) -> Any:
        """Return the read set as JSON values."""
        return [self.files, self.names, self.folders]

    @property
    def identity(self) -> str:
        """A digest of all contents, independent of timestamps."""
        contents = [(path, state.digest) for path, state in sorted(self.files.items())]
        present = sorted((folder.path, folder.present) for folder in self.folders)
        return sha256(json.dumps([contents, present]).encode()).hexdigest()

    def is_current(self, *, exact_time: bool = False) -> bool:
        """Return whether nothing has changed.

        With `exact_time`, modification times must match as well: clang rejects a precompiled
        header if one of its files was rewritten, even with the same content.
        """
        return all(
            _is_unchanged(path, state, exact_time=exact_time) for path, state in self.files.items()
        ) and all(map(self._is_unchanged_folder, self.folders))

    def _is_unchanged_folder(self, state: FolderState) -> bool:
        """Return whether a folder has the same ones of the looked-up names as before."""
        try:
            status = os.stat(state.path)
            if state.mtime_ns and (status.st_mtime_ns, status.st_ino) == state[2:4]:
                return True
            names = None if state.names < 0 else self.names[state.names]
            return _present(state.path, names) == state.present
        except (OSError, ValueError):
            # The folder does not exist, or the path contains a NUL or a lone surrogate.
            return not state.present


def searched_names(texts: Iterable[bytes]) -> SearchedNames:
    """Return the names in the `#include` directives and `__has_include` of sources."""
    found: set[tuple[bytes, bytes]] = set()
    has_computed = False
    for text in texts:
        found.update(re.findall(_LOOKUP, text))
        has_computed = has_computed or bool(re.search(_COMPUTED_INCLUDE, text))
    angled = {angled.decode(errors="surrogateescape") for angled, _ in found if angled}
    quoted = {quoted.decode(errors="surrogateescape") for _, quoted in found if quoted}
    return SearchedNames(frozenset(angled), frozenset(quoted), has_computed)


def depends_only_on_files(text: bytes) -> bool:
    """Return whether the meaning of a source depends on nothing but the headers it includes.

    It also depends on other things if it uses the time, embeds files, or looks up headers by
    computed names.
    """
    has_time = EPOCH not in os.environ and any(macro in text for macro in _TIME_MACROS)
    if has_time or any(word in text for word in _EMBEDDING):
        return False
    return not re.search(_COMPUTED_LOOKUP, text)


def folder_lookups(
    names: SearchedNames, files: Iterable[str], search: Sequence[str]
) -> dict[str, set[str] | None]:
    """Return the lookups that `ReadSet.record` expects.

    `files` are the files read, and `search` is the search path.
    """
    lookups: dict[str, set[str] | None] = {}
    read = list(files)
    own_folders = dict.fromkeys(os.path.dirname(path) or "." for path in read)
    is_folder: dict[str, bool] = {}

    def look(folder: str, name: str) -> None:
        folder = "/" if name.startswith("/") else folder
        for part in name.split("/"):
            known = lookups.setdefault(folder, set())
            if known is not None and part not in ("", "."):
                known.add(part)
            folder = os.path.join(folder, part)
            if folder not in is_folder:
                is_folder[folder] = os.path.isdir(folder)
            if not is_folder[folder]:
                return

    # The name in a computed include is not in the source, but follows from the file found.
    found = {
        path[len(folder) + 1 :]
        for folder in search
        for path in read
        if path.startswith(folder + "/")
    }
    for folder in search:
        for name in names.angled | names.quoted | found:
            look(folder, name)
    for folder in own_folders:
        for name in names.quoted.union(found if names.has_computed else ()):
            look(folder, name)
    lookups |= dict.fromkeys(_version_folders(search))
    return lookups


def _version_folders(search: Iterable[str]) -> Iterable[str]:
    """Yield folders in which clang selects a version: `/usr/lib/gcc/x86_64-linux-gnu`."""
    for folder in search:
        chosen, up, _ = folder.partition("/../")
        if up:
            yield os.path.dirname(chosen)


def _file_state(path: str) -> FileState | None:
    """Return the state of a regular file; None for others."""
    try:
        status = os.stat(path)
        # Opening a pipe may block forever.
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
        last < now() - _TIMESTAMP_MARGIN_NS,
    )


def _is_unchanged(path: str, state: FileState, *, exact_time: bool) -> bool:
    """Return whether a file has the recorded content and, if `exact_time`, modification time."""
    try:
        status = os.stat(path)
        # Reading a pipe or a device may never end.
        if not stat.S_ISREG(status.st_mode):
            return False
        size_and_time = (status.st_size, status.st_mtime_ns)
        if state.has_reliable_times and state[1:5] == (
            *size_and_time,
            status.st_ctime_ns,
            status.st_ino,
        ):
            return True
        if status.st_size != state.size or (exact_time and size_and_time != state[1:3]):
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
    is_reliable = status.st_mtime_ns < now() - _TIMESTAMP_MARGIN_NS
    mtime_ns = status.st_mtime_ns if is_reliable else 0
    return FolderState(path, number, mtime_ns, status.st_ino, present)


def _present(folder: str, names: Iterable[str] | None) -> list[str]:
    entries = set(os.listdir(folder))
    return sorted(entries if names is None else entries.intersection(names))

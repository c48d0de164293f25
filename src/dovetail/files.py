"""Reading files with errors a user understands, and writing them whole or not at all."""

import errno
import os
import stat
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple, Self

from dovetail.errors import InputError
from dovetail.pipes import PipeReader
from dovetail.printable import visible

STREAM = "-"
"""What stands for standard input or output in place of a file's name."""

DISK_FULL_ERRORS = (errno.ENOSPC, errno.EDQUOT)
"""Errors of the system that say that a disk is full."""

MIB = 1 << 20

_CHUNK = 256 << 10
"""Bytes that are read at a time where the size is not known."""

_NULL_DEVICE = os.makedev(1, 3)

_NAME_PART = 50
"""How much of a file's name its temporary name repeats; names cannot be much longer than 200."""

# Modes, from which the system takes what the user's mask forbids.
_ANY_NEW_FILE = 0o666
_FOR_THE_USER_ALONE = 0o600


class FileKind(NamedTuple):
    """What a file is read as, and how large such a file may be."""

    name: str
    limit: int
    """Bytes."""
    may_be_pipe: bool = True
    """False for what is read more than once, such as a source, which clang reads again."""


# `docs/formats.md` has the same table.
RESPONSE_FILE = FileKind("a response file", 64 * MIB)
SOURCE = FileKind("a source file", 256 * MIB, may_be_pipe=False)
CONFIGURATION = FileKind("a device configuration file", 16 * MIB, may_be_pipe=False)
FACTS = FileKind("a file of facts", 256 * MIB)
LLVM_IR = FileKind("LLVM IR", 1024 * MIB)
FILE_TABLE = FileKind("a file table", 16 * MIB)
PROPERTIES_FILE = FileKind("a properties file", 64 * MIB)
TABLE_ENTRY = FileKind("a file named in a file table", 4096 * MIB)
PROGRAM = FileKind("a program", 4096 * MIB)


def read_bytes(path: str | os.PathLike[str], kind: FileKind) -> bytes:
    """Return the content of a regular file or of a pipe, or raise `InputError`.

    Neither a device, nor a pipe that nobody writes to, nor a file that is too large can keep the
    process waiting or use up its memory.
    """
    with _opened(path) as file:
        return _content(file, _quoted(path), kind)


def map_file(path: str | os.PathLike[str]) -> memoryview:
    """Return the content of a regular file, of which only those parts are read that are used."""
    # Only who links objects pays for this import.
    from mmap import ACCESS_READ, mmap

    with _opened(path) as file:
        status = os.fstat(file)
        if stat.S_ISDIR(status.st_mode):
            raise IsADirectoryError(os.strerror(errno.EISDIR))
        if not stat.S_ISREG(status.st_mode):
            raise InputError(f"{_quoted(path)} is not a regular file")
        return memoryview(mmap(file, 0, access=ACCESS_READ) if status.st_size else b"")


@contextmanager
def _opened(path: str | os.PathLike[str]) -> Generator[int]:
    """Open a file to read it; what the system refuses meanwhile is an `InputError`."""
    try:
        # Without O_NONBLOCK, opening a pipe waits for a writer.
        file = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
        try:
            yield file
        finally:
            os.close(file)
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read {_quoted(path)}: {_reason(error)}") from None


def read_input(path: str, kind: FileKind) -> bytes:
    """Return the content of a file, or of standard input if `path` is `-`."""
    return _read_standard_input(kind) if path == STREAM else read_bytes(path, kind)


def _read_standard_input(kind: FileKind) -> bytes:
    """Return what standard input has until its end; `InputError` if that is too much."""
    try:
        return _read_up_to(kind, sys.stdin.buffer.read, "standard input", _CHUNK)
    except OSError as error:
        raise InputError(f"cannot read standard input: {_reason(error)}") from None


def _content(file: int, name: str, kind: FileKind) -> bytes:
    status = os.fstat(file)
    if stat.S_ISFIFO(status.st_mode) and kind.may_be_pipe:
        return _read_up_to(kind, PipeReader(file).read, name, _CHUNK)
    is_null = stat.S_ISCHR(status.st_mode) and status.st_rdev == _NULL_DEVICE
    # A directory can be opened, but not read: the system says so.
    if not (stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode) or is_null):
        places = "a regular file or a pipe" if kind.may_be_pipe else "a regular file"
        raise InputError(f"{name} is not a regular file", hint=f"{kind.name} has to be {places}")
    if status.st_size > kind.limit:
        raise _too_large(name, kind)
    # One more byte, so that the first read shows that there is no more.
    return _read_up_to(kind, partial(os.read, file), name, max(status.st_size + 1, _CHUNK))


def _read_up_to(kind: FileKind, read: Callable[[int], bytes], name: str, chunk: int) -> bytes:
    """Read until the end; never more than the limit, whatever size the file claims to have."""
    parts: list[bytes] = []
    room = kind.limit + 1
    while part := read(min(chunk, room)):
        parts.append(part)
        room -= len(part)
        if not room:
            raise _too_large(name, kind)
    return b"".join(parts)


def _too_large(name: str, kind: FileKind) -> InputError:
    return InputError(
        f"{name} is larger than {kind.limit // MIB} MiB, the limit for {kind.name}",
        hint="is it the file that you meant?",
    )


def require_utf8_name(path: str | os.PathLike[str]) -> None:
    """A name that is not UTF-8 cannot be handed to LLVM, nor written into messages and programs."""
    try:
        os.fspath(path).encode()
    except UnicodeEncodeError:
        raise InputError(
            f"the name {_quoted(path)} is not UTF-8", hint="rename the file, or copy it"
        ) from None


def full_disk(folder: str | os.PathLike[str], reason: str) -> InputError:
    """Return the error that there is no room for temporary files."""
    return InputError(
        f"cannot write temporary files in {_quoted(folder)}: {reason}",
        hint="free some space there, or set TMPDIR to another directory",
    )


def full_disk_reason(messages: str) -> str:
    """Return which full disk a program complains of, as the system words it; empty if of none."""
    return next((reason for reason in map(os.strerror, DISK_FULL_ERRORS) if reason in messages), "")


@contextmanager
def naming_full_disk(folder: str | os.PathLike[str]) -> Generator[None]:
    """Have errors of the system name the directory in which temporary files find no room."""
    try:
        yield
    except OSError as error:
        if error.errno not in DISK_FULL_ERRORS:
            raise
        raise full_disk(folder, _reason(error)) from None


def _quoted(path: str | os.PathLike[str]) -> str:
    return f"'{visible(os.fspath(path))}'"


def _reason(error: OSError | ValueError) -> str:
    # A path with a zero byte in it is a ValueError.
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def write_atomically(path: str | os.PathLike[str], data: bytes) -> None:
    """Write `data` so that a reader, or a crash, sees the old file or the new one, never a part.

    What is no plain file, such as a pipe or a device, is written to as it is; a link stays one.
    """
    # By names, not by Path, which takes as long as the system: images are written by the thousand.
    try:
        target = _final(path)
        if not _is_to_be_replaced(target):
            Path(target).write_bytes(data)
            return
        _replace(target, data, _ANY_NEW_FILE)
    except (OSError, ValueError) as error:
        raise _cannot_write(path, error) from None


def write_private(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file for this user alone, at once or not at all, in place of any file or link."""
    try:
        _replace(os.fspath(path), data, _FOR_THE_USER_ALONE)
    except OSError as error:
        raise _cannot_write(path, error) from None


class StagedFiles:
    """Files that are written aside and put into their places together, or not at all.

    As a context manager it removes what has not been put into its place.
    """

    def __init__(self) -> None:
        self._aside: list[tuple[str, str]] = []
        self._direct: list[tuple[str, bytes]] = []
        """For what is no plain file."""

    def add(self, path: str, data: bytes) -> None:
        """Write what is to be the content of `path`."""
        try:
            target = _final(path)
            if _is_to_be_replaced(target):
                self._aside.append((_written_aside(target, data, _ANY_NEW_FILE), target))
            else:
                self._direct.append((target, data))
        except (OSError, ValueError) as error:
            raise _cannot_write(path, error) from None

    def put_in_place(self) -> None:
        """Replace all files; nothing is left to write by then but what is no plain file."""
        for target, data in self._direct:
            write_atomically(target, data)
        while self._aside:
            temporary, target = self._aside[0]
            try:
                os.replace(temporary, target)
            except OSError as error:
                raise _cannot_write(target, error) from None
            self._aside.pop(0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *unused: object) -> None:
        for temporary, _ in self._aside:
            _remove(temporary)


def _final(path: str | os.PathLike[str]) -> str:
    """Where the content goes: a link stays one."""
    name = os.fspath(path)
    return os.path.realpath(name) if os.path.islink(name) else name


def _is_to_be_replaced(target: str) -> bool:
    try:
        return stat.S_ISREG(os.stat(target).st_mode)
    except FileNotFoundError:
        return True


def _replace(target: str, data: bytes, mode: int) -> None:
    temporary = _written_aside(target, data, mode)
    try:
        os.replace(temporary, target)
    except BaseException:
        _remove(temporary)
        raise


def _written_aside(target: str, data: bytes, mode: int) -> str:
    """The name of a new file beside the target, with its content."""
    folder, name = os.path.split(target)
    # Not by tempfile, whose files are always private.
    temporary = os.path.join(folder, f".{name[:_NAME_PART]}.{os.urandom(8).hex()}")
    try:
        file = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
        try:
            _write_all(file, data)
        finally:
            os.close(file)
    except BaseException:
        _remove(temporary)
        raise
    return temporary


def _remove(path: str) -> None:
    with suppress(FileNotFoundError):
        os.unlink(path)


def _cannot_write(path: str | os.PathLike[str], error: OSError | ValueError) -> InputError:
    return InputError(f"cannot write {_quoted(path)}: {_reason(error)}")


def _write_all(file: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(file, rest) :]

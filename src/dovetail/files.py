"""Reading files with size limits and clear errors, and writing them atomically."""

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
from dovetail.printable import visible

STREAM = "-"
"""The file name that denotes standard input or output."""

DISK_FULL_ERRORS = (errno.ENOSPC, errno.EDQUOT)
"""Error numbers for a full disk or an exceeded quota."""

MIB = 1 << 20

BLOCK_SIZE = 4096
"""Bytes. Files occupy whole blocks; an empty file counts as one, for its directory entry."""

_CHUNK = 256 << 10
"""Bytes that are read at a time if the size is unknown."""

_NULL_DEVICE = os.makedev(1, 3)

_MAX_NAME_PREFIX = 50
"""Characters of a file name that its temporary name repeats, since names have a limited length."""

# Modes, before the umask is applied.
_DEFAULT_MODE = 0o666
_PRIVATE = 0o600


class FileKind(NamedTuple):
    """A kind of input file, with its size limit."""

    name: str
    limit: int
    """Bytes."""
    may_be_pipe: bool = True
    """False for files that are read more than once, such as sources, which clang reads again."""


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


def disk_usage(size: int) -> int:
    """Return the disk usage of a file of `size` bytes."""
    return max(1, -(-size // BLOCK_SIZE)) * BLOCK_SIZE


def read_bytes(path: str | os.PathLike[str], kind: FileKind) -> bytes:
    """Return the content of a regular file or of a pipe, or raise `InputError`.

    Devices, pipes without a writer and files that are too large can neither block the process nor
    exhaust its memory.
    """
    with _opened(path) as file:
        return _content(file, _quoted(path), kind)


def map_file(path: str | os.PathLike[str]) -> memoryview:
    """Map the content of a regular file into memory."""
    # Imported here: only needed to link objects.
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
    """Open a file for reading; turn errors of the system in this context into `InputError`."""
    try:
        # Without O_NONBLOCK, opening a pipe blocks until it has a writer.
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
    """Return the content of standard input; `InputError` if it is too large."""
    try:
        return _read_up_to(kind, sys.stdin.buffer.read, "standard input", _CHUNK)
    except OSError as error:
        raise InputError(f"cannot read standard input: {_reason(error)}") from None


def _content(file: int, name: str, kind: FileKind) -> bytes:
    """Return the content of an open file; raise `InputError` for kinds that are not allowed."""
    status = os.fstat(file)
    if stat.S_ISFIFO(status.st_mode) and kind.may_be_pipe:
        # Imported late: most files are regular.
        from dovetail.pipes import PipeReader

        return _read_up_to(kind, PipeReader(file).read, name, _CHUNK)
    is_null = stat.S_ISCHR(status.st_mode) and status.st_rdev == _NULL_DEVICE
    # Reading a directory fails with a clear error of the system.
    if not (stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode) or is_null):
        places = "a regular file or a pipe" if kind.may_be_pipe else "a regular file"
        raise InputError(f"{name} is not a regular file", hint=f"{kind.name} must be {places}")
    if status.st_size > kind.limit:
        raise _too_large(name, kind)
    # One more byte, so that the first read detects the end.
    return _read_up_to(kind, partial(os.read, file), name, max(status.st_size + 1, _CHUNK))


def _read_up_to(kind: FileKind, read: Callable[[int], bytes], name: str, chunk: int) -> bytes:
    """Read until the end, but no more than the limit, whatever size the file claims to have."""
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
        hint="check that this is the intended file",
    )


def require_utf8_name(path: str | os.PathLike[str]) -> None:
    """Raise `InputError` if a name is not UTF-8, which LLVM, messages and programs require."""
    try:
        os.fspath(path).encode()
    except UnicodeEncodeError:
        raise InputError(
            f"the name {_quoted(path)} is not UTF-8", hint="rename the file, or copy it"
        ) from None


def full_disk(folder: str | os.PathLike[str], reason: str) -> InputError:
    """Return the error for a full disk in the folder of temporary files."""
    return InputError(
        f"cannot write temporary files in {_quoted(folder)}: {reason}",
        hint="free disk space there, or set TMPDIR to another directory",
    )


def full_disk_reason(messages: str) -> str:
    """Return the system's text for a full disk if a program's messages contain it, or ''."""
    return next((reason for reason in map(os.strerror, DISK_FULL_ERRORS) if reason in messages), "")


@contextmanager
def naming_full_disk(folder: str | os.PathLike[str]) -> Generator[None]:
    """Turn errors for a full disk into an `InputError` that names the temporary directory."""
    try:
        yield
    except OSError as error:
        if error.errno not in DISK_FULL_ERRORS:
            raise
        raise full_disk(folder, _reason(error)) from None


def _quoted(path: str | os.PathLike[str]) -> str:
    return f"'{visible(os.fspath(path))}'"


def _reason(error: OSError | ValueError) -> str:
    # A path that contains a zero byte causes a ValueError.
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def write_atomically(path: str | os.PathLike[str], data: bytes) -> None:
    """Replace a file atomically: after a crash it has either the old or the new content.

    A pipe or a device is written directly; for a link, the target is replaced.
    """
    # Strings instead of Path, which is slow: a build may write thousands of images.
    try:
        target = _write_path(path)
        if not _can_be_replaced(target):
            Path(target).write_bytes(data)
            return
        _replace(target, data, _DEFAULT_MODE)
    except (OSError, ValueError) as error:
        raise _cannot_write(path, error) from None


def write_private(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file that only this user can access, atomically, replacing any file or link."""
    try:
        _replace(os.fspath(path), data, _PRIVATE)
    except OSError as error:
        raise _cannot_write(path, error) from None


class StagedFiles:
    """Files that are written to temporary names and then renamed together.

    The context manager removes the temporary files that were not renamed.
    """

    def __init__(self) -> None:
        self._temporary: list[tuple[str, str]] = []
        self._direct: list[tuple[str, bytes]] = []
        """For pipes and devices, which cannot be replaced."""

    def add(self, path: str, data: bytes) -> None:
        """Write the new content of `path` to a temporary file."""
        try:
            target = _write_path(path)
            if _can_be_replaced(target):
                self._temporary.append((_write_temporary(target, data, _DEFAULT_MODE), target))
            else:
                self._direct.append((target, data))
        except (OSError, ValueError) as error:
            raise _cannot_write(path, error) from None

    def put_in_place(self) -> None:
        """Replace all files; only pipes and devices are still to be written."""
        for target, data in self._direct:
            write_atomically(target, data)
        while self._temporary:
            temporary, target = self._temporary[0]
            try:
                os.replace(temporary, target)
            except OSError as error:
                raise _cannot_write(target, error) from None
            self._temporary.pop(0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *unused: object) -> None:
        for temporary, _ in self._temporary:
            _remove(temporary)


def _write_path(path: str | os.PathLike[str]) -> str:
    """Return the path to write to: the target, if it is a link."""
    name = os.fspath(path)
    return os.path.realpath(name) if os.path.islink(name) else name


def _can_be_replaced(target: str) -> bool:
    try:
        return stat.S_ISREG(os.stat(target).st_mode)
    except FileNotFoundError:
        return True


def _replace(target: str, data: bytes, mode: int) -> None:
    """Write a temporary file beside the target, and rename it to the target."""
    temporary = _write_temporary(target, data, mode)
    try:
        os.replace(temporary, target)
    except BaseException:
        _remove(temporary)
        raise


def _write_temporary(target: str, data: bytes, mode: int) -> str:
    """Write a temporary file next to the target, and return its name."""
    folder, name = os.path.split(target)
    # Not with tempfile, whose files are always private.
    temporary = os.path.join(folder, f".{name[:_MAX_NAME_PREFIX]}.{os.urandom(8).hex()}")
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

"""Reading files with errors a user understands, writing them whole or not at all, and the cache."""

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from dovetail.errors import InputError
from dovetail.settings import CACHE_DIR


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """The file's content, or `InputError` that says why not."""
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"cannot read '{os.fspath(path)}': {error.strerror}") from None


def write_atomically(path: str | os.PathLike[str], data: bytes) -> None:
    """Write `data` so that a reader, or a crash, sees the old file or the new one, never a part."""
    target = Path(path)
    temporary = ""
    try:
        descriptor, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        # mkstemp's files are private; give the result the mode a plain open would have.
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, target)
    except OSError as error:
        with suppress(OSError):
            os.unlink(temporary)
        raise InputError(f"cannot write '{target}': {error.strerror}") from None


def cache_directory(kind: str) -> Path:
    """A folder for cached files of one kind, made on first use, open to the user alone."""
    root = CACHE_DIR.value()
    base = Path(root) if root else _user_cache() / "dovetail"
    directory = base / kind
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"cannot make the cache folder '{directory}': {error.strerror}",
            hint=f"set {CACHE_DIR.variable} to a folder that can be written",
        ) from None
    return directory


def _user_cache() -> Path:
    configured = os.environ.get("XDG_CACHE_HOME", "")
    return Path(configured) if os.path.isabs(configured) else Path.home() / ".cache"


def _umask() -> int:
    # The mask can only be read by setting it; /proc has it without that race between threads.
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("Umask:"):
            return int(line.split()[1], 8)
    return 0o077

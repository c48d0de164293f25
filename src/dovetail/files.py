"""Reading files with errors a user understands, writing them whole or not at all, and the cache."""

import os
from pathlib import Path
from tempfile import NamedTemporaryFile

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
    temporary: Path | None = None
    try:
        with NamedTemporaryFile(dir=target.parent, prefix=f".{target.name}.", delete=False) as file:
            temporary = Path(file.name)
            file.write(data)
        # A temporary file is private; give the result the mode a plain open would have.
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(target)
    except OSError as error:
        raise InputError(f"cannot write '{target}': {error.strerror}") from None
    finally:
        if temporary:
            temporary.unlink(missing_ok=True)


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
    configured = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return configured if configured.is_absolute() else Path.home() / ".cache"


def _umask() -> int:
    # The mask can only be read by setting it; /proc has it without that race between threads.
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("Umask:"):
            return int(line.split()[1], 8)
    return 0o077

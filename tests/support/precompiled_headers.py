"""Precompiled headers that are copied between caches, so that few tests have to create them.

A cache that tests share begins with those of earlier runs, under `build/`, and new ones are
saved there. A list of inputs names the files that it belongs to, so it is rewritten for the cache
that it is copied to; Dovetail decides whether a header is still current.
"""

import fcntl
import json
import os
import shutil
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

from dovetail.cache import HEADERS

KEPT = Path(__file__).parents[2] / "build" / "test-headers"
"""A cache that has nothing but headers."""

_LIST = ".inputs.json"
_MAX_AGE_S = 14 * 24 * 3600
"""What no run has used for so long is removed: most of it is for another version of the plugin."""


def copy_headers(source: Path, target: Path, name: str = "*") -> None:
    """Copy the headers of a cache, or those of a name, to another one, which need not exist."""
    folder = target / HEADERS.name
    for each in (target, folder):
        each.mkdir(mode=0o700, parents=True, exist_ok=True)
    for listed in (source / HEADERS.name).glob(f"{name}{_LIST}"):
        _copy_header(listed, folder)


def seed_cache(cache: Path) -> None:
    """Copy the headers of earlier runs into a cache, unless another process has done it."""
    with _locked(cache.with_suffix(".lock")):
        if not cache.exists():
            copy_headers(KEPT, cache)


def keep_headers(cache: Path) -> None:
    """Keep the headers of a cache for later runs, and remove those that none has used lately."""
    KEPT.mkdir(mode=0o700, parents=True, exist_ok=True)
    with _locked(KEPT / "lock"):
        copy_headers(cache, KEPT)
        for listed in (KEPT / HEADERS.name).glob(f"*{_LIST}"):
            if time.time() - listed.stat().st_mtime > _MAX_AGE_S:
                for each in _files_of(listed):
                    each.unlink(missing_ok=True)


def _files_of(listed: Path) -> Iterator[Path]:
    """Yield the files of a header, its list last."""
    name = listed.name.removesuffix(_LIST)
    yield from (file for file in listed.parent.glob(f"{name}.*") if file != listed)
    yield listed


def _copy_header(listed: Path, folder: Path) -> None:
    try:
        inputs = json.loads(listed.read_bytes())
        for file in [*_files_of(listed)][:-1]:
            _link(file, folder / file.name)
        inputs["parts"] = {str(folder / Path(p).name): s for p, s in inputs["parts"].items()}
        written = _aside(folder / listed.name)
        written.write_text(json.dumps(inputs))
        written.chmod(0o600)
        shutil.copystat(listed, written)
        written.replace(folder / listed.name)
    except (FileNotFoundError, ValueError):
        # Another process replaces or removes it just now, or it was damaged: it will be made again.
        return


def _link(source: Path, target: Path) -> None:
    """Give a file another name, or copy it with its modification time.

    Nothing writes into files of a cache: they are replaced.
    """
    if target.exists() and os.path.samestat(source.stat(), target.stat()):
        return
    aside = _aside(target)
    try:
        os.link(source, aside)
    except OSError:
        shutil.copy2(source, aside)
    aside.replace(target)


def _aside(target: Path) -> Path:
    return target.with_name(f".{target.name}.{os.getpid()}")


@contextmanager
def _locked(path: Path) -> Generator[None]:
    """Keep other processes that lock the same file waiting."""
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield

"""The cache stays within its size limit and evicts the least recently used items first."""

import os
import time
from pathlib import Path

import pytest

from dovetail.cache import HEADERS, PROGRAMS, cache_directory, get, key_of, put, size_limit
from dovetail.cache.contents import cached_items, remove_unfinished_files
from dovetail.cache.size_limit import make_room
from dovetail.errors import UsageError
from dovetail.files import disk_usage
from dovetail.settings import CACHE_SIZE

KIB = 1 << 10
CONTENT = bytes(9 * KIB)
ROOM = 12 * KIB
"""Disk usage of an entry with `CONTENT`."""


def key(number: int) -> str:
    return key_of(("number", str(number)))


def age(path: Path, seconds: float) -> None:
    then = time.time() - seconds
    os.utime(path, (then, then))


def size_of_all() -> int:
    return sum(item.size for item in cached_items())


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("0", 0),
        ("4096", 4096),
        ("500M", 500 << 20),
        ("2g", 2 << 30),
        ("1.5K", 1536),
        ("3 MiB", 3 << 20),
        ("1TB", 1 << 40),
    ],
)
def test_sizes(text: str, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE_SIZE.variable, text)
    assert size_limit.configured_limit() == size


@pytest.mark.parametrize("text", ["much", "-1", "5Q", "M", "1e9", "0x10", "5 5", "\u0665"])
def test_invalid_sizes(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE_SIZE.variable, text)
    with pytest.raises(UsageError, match="expected a size") as caught:
        size_limit.configured_limit()
    assert "500M" in caught.value.hint


def test_the_least_recently_used_items_are_evicted(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CACHE_SIZE.variable, str(32 * ROOM))
    for number in range(10):
        put(PROGRAMS, key(number), CONTENT)
        age(root / PROGRAMS.name / key(number), 100_000 - number)
    assert get(PROGRAMS, key(3)) == CONTENT, "used again, it is the newest"
    for number in range(10, 100):
        put(PROGRAMS, key(number), CONTENT)
        age(root / PROGRAMS.name / key(number), 1000 - number)
        assert size_of_all() <= 32 * ROOM
    left = {number for number in range(100) if get(PROGRAMS, key(number))}
    assert left == {3, *range(100 - len(left) + 1, 100)}
    assert len(left) >= 24, "no more is removed than an eighth, and what comes next"


def test_files_are_rarely_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[int] = []

    def counting(most: int) -> None:
        looks.append(most)

    monkeypatch.setenv(CACHE_SIZE.variable, str(800 * ROOM))
    monkeypatch.setattr(size_limit, "_remove_oldest", counting)
    for number in range(350):
        put(PROGRAMS, key(number), b"x" * len(CONTENT))
    assert len(looks) == 1 + 3, "the first, then after each hundred"


def test_the_first_writer_lists_existing_files(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(20):
        put(PROGRAMS, key(number), CONTENT)
    (root / "growth").unlink()
    monkeypatch.setenv(CACHE_SIZE.variable, str(8 * ROOM))
    put(PROGRAMS, key(20), CONTENT)
    assert size_of_all() <= 8 * ROOM
    assert get(PROGRAMS, key(20)) == CONTENT


def test_large_entries_are_not_cached(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(CACHE_SIZE.variable, "1M")
    put(PROGRAMS, key(1), CONTENT)
    put(PROGRAMS, key(2), bytes(1 << 20))
    assert get(PROGRAMS, key(1)) == CONTENT
    assert get(PROGRAMS, key(2)) is None
    assert capfd.readouterr().err == ""


def test_headers_are_evicted_with_their_files(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = cache_directory(HEADERS.name)
    stems = [f"{side}-{number:032x}" for number, side in enumerate(["host", "device", "host"])]
    for stem in stems:
        for suffix in (".pch", ".inputs.json", ".o"):
            (folder / f"{stem}{suffix}").write_bytes(bytes(10 * KIB))
            age(folder / f"{stem}{suffix}", 90_000)
    # The time of the list of inputs is that of the last use.
    age(folder / f"{stems[1]}.inputs.json", 80_000)
    age(folder / f"{stems[2]}.inputs.json", 0)
    assert [item.size for item in cached_items([HEADERS])] == [3 * ROOM] * 3
    monkeypatch.setenv(CACHE_SIZE.variable, str(8 * ROOM))
    make_room(0)
    assert {path.name.partition(".")[0] for path in folder.iterdir()} == set(stems[1:])
    monkeypatch.setenv(CACHE_SIZE.variable, "4096")
    make_room(0)
    assert {path.name.partition(".")[0] for path in folder.iterdir()} == {stems[2]}, "in use"


def test_other_files_are_neither_counted_nor_removed(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The configured folder may contain other files with similar names."""
    kept = [
        *("programs/readme", "programs/.hidden", "headers/a.hpp", "headers/host-1.pch"),
        *("validated/x", "mine/0", f"programs/{key(1)}.txt", f"programs/.{key(1)}.swp"),
    ]
    for name in kept:
        (root / name).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        (root / name).write_bytes(CONTENT)
        age(root / name, 1e6)
    monkeypatch.setenv(CACHE_SIZE.variable, str(2 * ROOM))
    for number in range(20):
        put(PROGRAMS, key(number), CONTENT)
    assert [item.files for item in cached_items()] == [
        item.files for item in cached_items([PROGRAMS])
    ]
    assert size_of_all() <= 2 * ROOM
    assert all((root / name).read_bytes() == CONTENT for name in kept)


def test_old_unfinished_files_are_removed(root: Path) -> None:
    folder, headers = cache_directory(PROGRAMS.name), cache_directory(HEADERS.name)
    new = folder / f".{key(1)[:50]}.{'0' * 16}"
    old = folder / f".{key(2)[:50]}.{'0' * 16}"
    header = headers / f".device-{'0' * 32}.inputs.jso.{'0' * 16}"
    for path in (new, old, header):
        path.touch()
    age(old, 7200)
    age(header, 7200)
    assert cached_items() == []
    remove_unfinished_files()
    assert [new] == list(folder.iterdir())
    assert not list(headers.iterdir())


@pytest.mark.parametrize(
    ("size", "room"), [(0, 4096), (1, 4096), (4096, 4096), (4097, 8192), (1 << 20, 1 << 20)]
)
def test_files_take_up_blocks(size: int, room: int) -> None:
    assert disk_usage(size) == room

"""Entries are read as they were written, or not at all."""

import os
import resource
import stat
import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from dovetail.cache import PROGRAMS, VALIDATED, get, get_parsed, key_of, put
from dovetail.errors import FormatError, UsageError
from dovetail.settings import CACHE

KEY = key_of(("test", "one"))
OTHER = key_of(("test", "other"))
CONTENT = bytes(range(256)) * 40

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def entry(root: Path) -> Path:
    """The file of an entry."""
    put(PROGRAMS, KEY, CONTENT)
    return root / PROGRAMS.name / KEY


@pytest.mark.parametrize("content", [b"", b"x", CONTENT])
def test_entries_round_trip(content: bytes, capfd: Capture) -> None:
    assert get(PROGRAMS, KEY) is None
    put(PROGRAMS, KEY, b"an old one")
    put(PROGRAMS, KEY, content)
    assert get(PROGRAMS, KEY) == content
    assert get(PROGRAMS, OTHER) is None
    assert get(VALIDATED, KEY) is None
    assert capfd.readouterr().err == ""


def test_only_the_user_can_read_it(root: Path) -> None:
    before = os.umask(0)
    try:
        put(PROGRAMS, KEY, CONTENT)
    finally:
        os.umask(before)
    for path in (root, *root.rglob("*")):
        assert not stat.S_IMODE(path.stat().st_mode) & 0o077, path


def test_lookup_creates_no_folder(root: Path) -> None:
    assert get(PROGRAMS, KEY) is None
    assert not root.exists()


def _cut(entry: Path, size: int) -> None:
    os.truncate(entry, size)


def _flip(entry: Path, place: int) -> None:
    data = bytearray(entry.read_bytes())
    data[place] ^= 16
    entry.write_bytes(data)


def _replace_by_folder(entry: Path) -> None:
    entry.unlink()
    entry.mkdir()


def _replace_by_link(entry: Path) -> None:
    entry.rename(entry.parent / "moved")
    entry.symlink_to("moved")


def _replace_by_pipe(entry: Path) -> None:
    entry.unlink()
    os.mkfifo(entry)


def _replace_by_entry_of_other(entry: Path) -> None:
    put(PROGRAMS, OTHER, CONTENT)
    (entry.parent / OTHER).rename(entry)


DAMAGES: dict[str, Callable[[Path], object]] = {
    "empty": lambda entry: _cut(entry, 0),
    "a part of the header": lambda entry: _cut(entry, 40),
    "no content": lambda entry: _cut(entry, 88),
    "the last byte is lost": lambda entry: _cut(entry, 88 + len(CONTENT) - 1),
    "a byte too many": lambda entry: entry.write_bytes(entry.read_bytes() + b"x"),
    "magic": lambda entry: _flip(entry, 0),
    "unused field": lambda entry: _flip(entry, 12),
    "length": lambda entry: _flip(entry, 16),
    "key": lambda entry: _flip(entry, 24),
    "digest": lambda entry: _flip(entry, 56),
    "first byte": lambda entry: _flip(entry, 88),
    "last byte": lambda entry: _flip(entry, -1),
    "other things": lambda entry: _replace_by_entry_of_other(entry),
    "a folder": _replace_by_folder,
    "a link": _replace_by_link,
    "a pipe": _replace_by_pipe,
    "others can write it": lambda entry: entry.chmod(0o606),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_entry_is_removed_with_a_warning(
    entry: Path, damage: str, capfd: Capture
) -> None:
    DAMAGES[damage](entry)
    assert get(PROGRAMS, KEY) is None
    message = capfd.readouterr().err
    assert message.startswith(f"dovetail: warning: the cache entry '{entry}' is damaged")
    assert message.count("\n") == 1
    assert entry.name not in [path.name for path in entry.parent.iterdir()]
    put(PROGRAMS, KEY, CONTENT)
    assert get(PROGRAMS, KEY) == CONTENT
    assert capfd.readouterr().err == ""


def test_a_file_of_another_user_is_damaged(entry: Path, capfd: Capture) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give files away")
    os.chown(entry, 65534, -1)
    assert get(PROGRAMS, KEY) is None
    assert "other users could have written it" in capfd.readouterr().err


def test_an_entry_of_another_version_is_left_alone(entry: Path, capfd: Capture) -> None:
    data = bytearray(entry.read_bytes())
    struct.pack_into("<I", data, 8, 2)
    entry.write_bytes(data[:30])
    assert get(PROGRAMS, KEY) is None
    assert entry.read_bytes() == data[:30]
    assert capfd.readouterr().err == ""


def test_a_full_folder_in_its_place(entry: Path, capfd: Capture) -> None:
    _replace_by_folder(entry)
    (entry / "precious").touch()
    assert get(PROGRAMS, KEY) is None
    put(PROGRAMS, KEY, CONTENT)
    assert get(PROGRAMS, KEY) is None
    assert (entry / "precious").exists()
    lines = capfd.readouterr().err.splitlines()
    assert len(lines) == 3, "damaged; not cached, and a hint"


def test_too_many_open_files_are_not_damage(entry: Path, capfd: Capture) -> None:
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    held = os.open(entry, os.O_RDONLY)
    resource.setrlimit(resource.RLIMIT_NOFILE, (held, limits[1]))
    try:
        assert get(PROGRAMS, KEY) is None
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
        os.close(held)
    assert get(PROGRAMS, KEY) == CONTENT
    assert capfd.readouterr().err == ""


def test_others_folders_are_not_used(root: Path, entry: Path, capfd: Capture) -> None:
    root.chmod(0o777)
    assert get(PROGRAMS, KEY) is None
    put(PROGRAMS, OTHER, CONTENT)
    assert not (entry.parent / OTHER).exists()
    assert capfd.readouterr().err == (
        f"dovetail: warning: results are not cached: the cache folder '{root}' can be"
        f" written by others\ndovetail: run 'chmod go-w {root}'\n"
    )


def test_it_can_be_disabled(entry: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE.variable, "off")
    assert get(PROGRAMS, KEY) is None
    put(PROGRAMS, OTHER, CONTENT)
    assert sorted(entry.parent.iterdir()) == [entry]
    monkeypatch.setenv(CACHE.variable, "maybe")
    with pytest.raises(UsageError, match="DOVETAIL_CACHE: expected 'on' or 'off', got 'maybe'"):
        get(PROGRAMS, KEY)


def test_uses_are_recorded_rarely(entry: Path) -> None:
    os.utime(entry, (1000, 1000))
    get(PROGRAMS, KEY)
    noted = entry.stat().st_mtime_ns
    assert noted > 1000 * 10**9
    get(PROGRAMS, KEY)
    assert entry.stat().st_mtime_ns == noted


def test_a_use_in_the_future_is_corrected(entry: Path) -> None:
    far = 1 << 33
    os.utime(entry, (far, far))
    get(PROGRAMS, KEY)
    assert entry.stat().st_mtime < far


def test_an_entry_of_another_shape_is_removed_with_a_warning(entry: Path, capfd: Capture) -> None:
    def refuse(content: bytes) -> str:
        raise FormatError(f"{len(content)} bytes are too few")

    assert get_parsed(PROGRAMS, KEY, bytes.hex) == CONTENT.hex()
    assert get_parsed(PROGRAMS, OTHER, refuse) is None
    assert capfd.readouterr().err == ""
    assert get_parsed(PROGRAMS, KEY, refuse) is None
    assert (
        f"is damaged and will be replaced: {len(CONTENT)} bytes are too few"
        in capfd.readouterr().err
    )
    assert not entry.exists()

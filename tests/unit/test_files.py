"""Files are written whole or not at all, and errors name the file."""

import os
import stat
from pathlib import Path

import pytest

from dovetail.errors import InputError
from dovetail.files import cache_directory, read_bytes, write_atomically
from dovetail.settings import CACHE_DIR


def test_write_replaces_whole_file(tmp_path: Path) -> None:
    target = tmp_path / "program"
    target.write_bytes(b"old and longer")
    write_atomically(target, b"new")
    assert target.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [target]


def test_written_file_has_ordinary_mode(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        write_atomically(tmp_path / "program", b"x")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "program").stat().st_mode) == 0o644


def test_failed_write_leaves_nothing(tmp_path: Path) -> None:
    target = tmp_path / "folder"
    target.mkdir()
    with pytest.raises(InputError, match=r"cannot write '.*folder': Is a directory"):
        write_atomically(target, b"x")
    assert list(tmp_path.iterdir()) == [target]


def test_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"old")
    link = tmp_path / "link"
    link.symlink_to("file")
    write_atomically(link, b"new")
    assert link.is_symlink()
    assert (tmp_path / "file").read_bytes() == b"new"


def test_pipe_is_written_to(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_atomically(pipe, b"data")
        assert os.read(reader, 100) == b"data"
    finally:
        os.close(reader)
    assert pipe.is_fifo()


def test_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot write '.*/none/program': No such file"):
        write_atomically(tmp_path / "none" / "program", b"x")


def test_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot read '.*none': No such file"):
        read_bytes(tmp_path / "none")


def test_cache_is_private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE_DIR.variable, str(tmp_path / "cache"))
    assert stat.S_IMODE(cache_directory("things").stat().st_mode) == 0o700


def test_cache_follows_the_desktop_standard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(CACHE_DIR.variable)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_directory("things") == tmp_path / "dovetail" / "things"


def test_unusable_cache_says_what_to_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv(CACHE_DIR.variable, str(tmp_path / "file"))
    with pytest.raises(InputError) as caught:
        cache_directory("things")
    assert CACHE_DIR.variable in caught.value.hint

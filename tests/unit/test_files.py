"""Files are written whole or not at all, and errors name the file."""

import os
import stat
from pathlib import Path

import pytest

from dovetail.errors import InputError
from dovetail.files import read_bytes, write_atomically, write_private


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


def test_private_file_is_private_whatever_the_mask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        write_private(tmp_path / "entry", b"x")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "entry").stat().st_mode) == 0o600


def test_private_file_replaces_a_link_and_not_what_it_leads_to(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"old")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    write_private(tmp_path / "link", b"new")
    assert not (tmp_path / "link").is_symlink()
    assert (tmp_path / "link").read_bytes() == b"new"
    assert (tmp_path / "file").read_bytes() == b"old"


def test_private_file_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    target = tmp_path / "folder"
    target.mkdir()
    with pytest.raises(InputError, match=r"cannot write '.*folder': Is a directory"):
        write_private(target, b"x")
    assert list(tmp_path.iterdir()) == [target]

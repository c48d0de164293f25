"""Files are written atomically, and errors name the file."""

import os
import stat
import subprocess
from pathlib import Path
from threading import Thread

import pytest

from dovetail import pipes
from dovetail.errors import InputError
from dovetail.files import (
    MIB,
    SOURCE,
    FileKind,
    map_file,
    read_bytes,
    write_atomically,
    write_private,
)

KIND = FileKind("a test file", MIB)


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
        read_bytes(tmp_path / "none", KIND)


def test_private_file_is_private_whatever_the_mask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        write_private(tmp_path / "entry", b"x")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "entry").stat().st_mode) == 0o600


def test_private_file_replaces_a_link_and_not_its_target(tmp_path: Path) -> None:
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


# Reading


def test_a_file_of_just_the_limit_is_read(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x" * MIB)
    assert read_bytes(tmp_path / "file", KIND) == b"x" * MIB


def test_a_file_over_the_limit_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "file").open("wb") as file:
        file.truncate(MIB + 1)
    message = r"file' is larger than 1 MiB, the limit for a test file"
    with pytest.raises(InputError, match=message):
        read_bytes(tmp_path / "file", KIND)


def test_a_file_that_claims_to_be_empty_is_read_up_to_the_limit() -> None:
    # Files in /proc and /sys have size 0.
    with pytest.raises(InputError, match="larger than 0 MiB"):
        read_bytes("/proc/self/maps", FileKind("a few bytes", 10))


def test_a_file_of_the_kernels_is_read_whole() -> None:
    assert read_bytes("/proc/self/cmdline", KIND)


def test_devices_are_rejected() -> None:
    with pytest.raises(InputError, match=r"'/dev/zero' is not a regular file"):
        read_bytes("/dev/zero", KIND)


def test_the_null_device_is_empty() -> None:
    assert read_bytes("/dev/null", SOURCE) == b""


def test_a_directory_is_rejected(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Is a directory"):
        read_bytes(tmp_path, KIND)


def test_a_pipe_without_a_writer_times_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipes, "WRITER_WAIT_S", 0.01)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match=r"cannot read '.*pipe': this pipe has had no writer for"):
        read_bytes(tmp_path / "pipe", KIND)


def test_a_pipe_with_a_silent_writer_times_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipes, "DATA_WAIT_S", 0.01)
    os.mkfifo(tmp_path / "pipe")
    both_ends = os.open(tmp_path / "pipe", os.O_RDWR)
    try:
        with pytest.raises(InputError, match="the writer of this pipe has written nothing for"):
            read_bytes(tmp_path / "pipe", KIND)
    finally:
        os.close(both_ends)


def test_a_pipe_is_read_to_its_end(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    content = bytes(range(256)) * 2000  # more than a pipe holds
    writer = Thread(target=lambda: (tmp_path / "pipe").write_bytes(content))
    writer.start()
    try:
        assert read_bytes(tmp_path / "pipe", KIND) == content
    finally:
        writer.join()


def test_a_pipe_is_read_up_to_the_limit() -> None:
    with subprocess.Popen(["cat", "/dev/zero"], stdout=subprocess.PIPE) as endless:
        assert endless.stdout
        with pytest.raises(InputError, match="larger than 1 MiB"):
            read_bytes(f"/dev/fd/{endless.stdout.fileno()}", KIND)
        endless.kill()


def test_a_pipe_is_rejected_if_the_file_is_read_again(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="pipe' is not a regular file"):
        read_bytes(tmp_path / "pipe", SOURCE)


def test_mapped_files_are_regular_files(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "empty").touch()
    (tmp_path / "file").write_bytes(b"content")
    assert map_file(tmp_path / "file") == b"content"
    assert map_file(tmp_path / "empty") == b""
    for path in (tmp_path / "pipe", Path("/dev/zero")):
        with pytest.raises(InputError, match="is not a regular file"):
            map_file(path)
    with pytest.raises(InputError, match=r"cannot read '.*none'"):
        map_file(tmp_path / "none")

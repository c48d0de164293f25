"""The folder of the cache, and who may write to it."""

import os
import stat
from pathlib import Path

import pytest

from dovetail.cache import cache_directory, own_directory
from dovetail.cache.folder import is_own
from dovetail.errors import InputError
from dovetail.settings import CACHE_DIR


def test_folders_are_private_whatever_the_umask(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CACHE_DIR.variable, str(tmp_path / "a" / "b"))
    before = os.umask(0)
    try:
        directory = cache_directory("things")
    finally:
        os.umask(before)
    assert directory == tmp_path / "a" / "b" / "things"
    for folder in (directory, directory.parent, directory.parent.parent):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_it_follows_the_desktop_standard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(CACHE_DIR.variable)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_directory("things") == tmp_path / "dovetail" / "things"


def test_a_folder_that_cannot_be_created(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv(CACHE_DIR.variable, str(tmp_path / "file"))
    with pytest.raises(InputError, match="cannot create the cache folder") as caught:
        cache_directory("things")
    assert CACHE_DIR.variable in caught.value.hint


def test_a_user_without_a_home(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_home() -> Path:
        raise RuntimeError("no home")

    monkeypatch.delenv(CACHE_DIR.variable)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", no_home)
    with pytest.raises(InputError, match="this user has no home") as caught:
        cache_directory("things")
    assert CACHE_DIR.variable in caught.value.hint


@pytest.mark.parametrize("mode", [0o770, 0o707])
@pytest.mark.parametrize("place", ["", "things"])
def test_folders_that_others_can_write_are_rejected(root: Path, place: str, mode: int) -> None:
    cache_directory("things")
    (root / place).chmod(mode)
    with pytest.raises(InputError, match=r"can be written by others") as caught:
        cache_directory("things")
    assert caught.value.hint == f"run 'chmod go-w {root / place}'"
    (root / place).chmod(0o755)
    assert own_directory("things") == root / "things"


def test_a_folder_of_another_user_is_rejected(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache_directory("things")
    status, user = root.stat(), os.geteuid()
    assert is_own(status)
    monkeypatch.setattr(os, "geteuid", lambda: user + 1)
    assert not is_own(status)
    with pytest.raises(InputError, match="belongs to another user"):
        own_directory("things")


def test_the_cache_may_be_a_link_but_not_a_folder_in_it(root: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    root.symlink_to(tmp_path / "elsewhere")
    cache_directory("things")
    (root / "others").symlink_to(tmp_path / "elsewhere" / "things")
    with pytest.raises(InputError, match="Not a directory"):
        cache_directory("others")

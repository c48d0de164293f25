"""Remembering which code was checked."""

from pathlib import Path

import pytest

from dovetail import trust


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DOVETAIL_CACHE_DIR", str(tmp_path))
    return tmp_path / "validated"


def test_exactly_what_was_remembered_is_known(cache: Path) -> None:
    assert not trust.is_known(b"code")
    trust.remember(b"code")
    trust.remember(b"code")
    assert trust.is_known(b"code")
    assert not trust.is_known(b"code2")
    (entry,) = cache.iterdir()
    assert entry.stat().st_size == 0
    assert entry.stat().st_mode & 0o777 == 0o600
    assert cache.stat().st_mode & 0o777 == 0o700


def test_a_driver_vouches_for_itself_alone() -> None:
    trust.remember(b"code", "driver 1")
    assert trust.is_known(b"code", "driver 1")
    assert not trust.is_known(b"code", "driver 2")
    assert not trust.is_known(b"code")


def test_what_others_could_have_written_is_not_believed(cache: Path) -> None:
    trust.remember(b"code")
    cache.chmod(0o777)
    assert not trust.is_known(b"code")
    cache.chmod(0o700)
    assert trust.is_known(b"code")
    next(cache.iterdir()).chmod(0o662)
    assert not trust.is_known(b"code")


def test_no_cache_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("DOVETAIL_CACHE_DIR", str(tmp_path / "file"))
    trust.remember(b"code")
    assert not trust.is_known(b"code")


def test_code_that_comes_with_the_runtime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trust.remember(b"the program's code")
    records = trust.records([b"the program's code", b"code from elsewhere"])
    assert len(records.splitlines()) == 1
    # On another machine, with another cache.
    monkeypatch.setenv("DOVETAIL_CACHE_DIR", str(tmp_path / "cache"))
    assert not trust.is_known(b"the program's code")
    (tmp_path / "bundled").write_bytes(records)
    monkeypatch.setattr(trust, "BUNDLED_CODE", tmp_path / "bundled")
    bundled = getattr(trust, "_bundled")  # noqa: B009 - private, and it keeps what it has read
    bundled.cache_clear()
    try:
        assert trust.is_known(b"the program's code")
        assert not trust.is_known(b"code from elsewhere")
    finally:
        bundled.cache_clear()

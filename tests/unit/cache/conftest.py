"""A cache of each test's own, and nothing told before."""

from pathlib import Path

import pytest

from dovetail.cache import complaints
from dovetail.settings import CACHE, CACHE_DIR, CACHE_SIZE


@pytest.fixture(autouse=True)
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The cache's folder, which is not there yet."""
    monkeypatch.setenv(CACHE_DIR.variable, str(tmp_path / "cache"))
    for setting in (CACHE, CACHE_SIZE):
        monkeypatch.delenv(setting.variable, raising=False)
    monkeypatch.setattr(complaints, "_told", set[str]())
    return tmp_path / "cache"

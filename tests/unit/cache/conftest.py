"""Each test has its own cache, and no warning was printed before."""

from pathlib import Path

import pytest

from dovetail.cache import store
from dovetail.settings import CACHE, CACHE_DIR, CACHE_SIZE


@pytest.fixture(autouse=True)
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The cache's folder, which does not exist yet."""
    monkeypatch.setenv(CACHE_DIR.variable, str(tmp_path / "cache"))
    for setting in (CACHE, CACHE_SIZE):
        monkeypatch.delenv(setting.variable, raising=False)
    monkeypatch.setattr(store, "_warned_topics", set[str]())
    return tmp_path / "cache"

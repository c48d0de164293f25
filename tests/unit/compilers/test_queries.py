"""Cached results of queries."""

import pytest

from dovetail.cache import COMPILERS, key_of, put
from dovetail.compilers import queries
from dovetail.settings import CACHE_DIR


@pytest.mark.parametrize("content", [b"", b"null", b"5", b'["1.0"]', b'["1.0", [5]]'])
def test_an_entry_of_another_shape_is_replaced(
    content: bytes, tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CACHE_DIR.variable, f"{tmp_path}/cache")
    monkeypatch.setattr(queries, "_results", {})
    key = key_of(("format", "1"), ("question", "version, names"), ("program", "p"))
    put(COMPILERS, key, content)
    expected = ("1.0", ["a"])
    for _ in range(2):
        result = queries.cached_query("p", "version, names", lambda: expected, (str, [str]))
        assert list(result) == list(expected)
    monkeypatch.setattr(queries, "_results", {})
    cached = queries.cached_query("p", "version, names", pytest.fail, (str, [str]))
    assert cached == list(expected), "the new entry is in the cache"

"""What programs say of themselves, kept in the cache."""

import pytest

from dovetail.cache import COMPILERS, key_of, put
from dovetail.compilers import answers
from dovetail.settings import CACHE_DIR


@pytest.mark.parametrize("content", [b"", b"null", b"5", b'["1.0"]', b'["1.0", [5]]'])
def test_an_answer_of_another_shape_is_asked_for_again(
    content: bytes, tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CACHE_DIR.variable, f"{tmp_path}/cache")
    monkeypatch.setattr(answers, "_asked", {})
    key = key_of(("format", "1"), ("question", "version, names"), ("program", "p"))
    put(COMPILERS, key, content)
    answer = ("1.0", ["a"])
    for _ in range(2):
        told = answers.answer_of("p", "version, names", lambda: answer, (str, [str]))
        assert list(told) == list(answer)
    monkeypatch.setattr(answers, "_asked", {})
    kept = answers.answer_of("p", "version, names", pytest.fail, (str, [str]))
    assert kept == list(answer), "it is kept again"

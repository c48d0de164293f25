"""Clang's messages keep their layout and their colors, and nothing else that terminals obey."""

import re
from pathlib import Path

import pytest

from dovetail.cli.main import main

Capture = pytest.CaptureFixture[str]

COLOR = re.compile(r"\x1b\[[0-9;]*[mK]")


@pytest.fixture(autouse=True)
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A source with characters in an error that terminals would obey."""
    monkeypatch.chdir(tmp_path)
    Path("bad\u202e.cpp").write_text("#error before\u202eafter \x1b[31m \x1b]0;title\x07\n")


def errors(capsys: Capture, *words: str) -> str:
    assert main(["c++", "-fsycl", "-c", "bad\u202e.cpp", *words]) == 1
    return capsys.readouterr().err


def test_characters(capsys: Capture) -> None:
    text = errors(capsys)
    assert r"bad\u202e.cpp:1:2: error: before" in text
    assert not set(text) & set("\u202e\x1b\x07")
    assert len(text.splitlines()) > 1


def test_colors(capsys: Capture) -> None:
    text = errors(capsys, "-fcolor-diagnostics")
    assert COLOR.search(text)
    assert not set(COLOR.sub("", text)) & set("\u202e\x1b\x07")


def test_commands_can_still_be_pasted(capsys: Capture) -> None:
    assert main(["c++", "-fsycl", "-###", "-c", "bad\u202e.cpp"]) == 0
    assert r"$'bad\xe2\x80\xae.cpp'" in capsys.readouterr().err

"""Escaping of text for terminals."""

import subprocess
import sys
import unicodedata

import pytest

from dovetail.printable import shell_command, visible, visible_lines

UNSAFE = ("Cc", "Cf", "Cs", "Zl", "Zp")


def test_every_character_of_unsafe_categories_is_escaped() -> None:
    characters = map(chr, range(sys.maxunicode + 1))
    unsafe = [each for each in characters if unicodedata.category(each) in UNSAFE]
    assert len(unsafe) > 2000
    assert [each for each in unsafe if visible(each) == each] == []
    assert [each for each in unsafe if visible_lines(each) == each] == ["\t", "\n"]


@pytest.mark.parametrize(
    "text", ["plain", "ünïcödé", "漢字", "a  b", "\\u202e", "👍", "Ω≈ç√", "e\u0301", "a\xa0b"]
)
def test_other_text_is_unchanged(text: str) -> None:
    assert visible(text) == visible_lines(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\u202eb", "a\\u202eb"),
        ("\x1b[31m", "\\x1b[31m"),
        ("\x9b31m", "\\x9b31m"),
        ("\udc80", "\\udc80"),
        ("\U000e0041", "\\U000e0041"),
        ("\r", "\\r"),
        ("\u3164", "\\u3164"),
    ],
)
def test_form_of_escapes(text: str, shown: str) -> None:
    assert visible(text) == visible_lines(text) == shown


def test_lines() -> None:
    assert visible("a\n\tb") == "a\\n\\tb"
    assert visible_lines("a\n\tb\u2028c") == "a\n\tb\\u2028c"


def test_colors() -> None:
    text = "\x1b[0;1;31merror\x1b[0m \x1b[2J\x1b]0;title\x07"
    assert visible_lines(text, colors=True) == (
        "\x1b[0;1;31merror\x1b[0m \\x1b[2J\\x1b]0;title\\x07"
    )
    assert "\x1b" not in visible_lines(text)


@pytest.mark.parametrize(
    "words",
    [
        ["a", "b c", "it's", "$HOME"],
        ["a\nb", "\t'\\", "\u202e", "\udcff1", "\x1b[31m", "\x85", "\u20281"],
    ],
)
def test_commands_can_be_pasted(words: list[str]) -> None:
    line = shell_command(["printf", r"%s\0", *words])
    assert visible(line) == line
    output = subprocess.run(["bash", "-c", line], capture_output=True, check=True).stdout
    assert output.decode(errors="surrogateescape").split("\0")[:-1] == words

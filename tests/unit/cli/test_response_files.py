"""`@file`: words as clang splits them."""

from pathlib import Path

import pytest
from effort import effort

from dovetail.cli.response_files import expanded, split_arguments
from dovetail.errors import UsageError


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", []),
        ("  a\n b\tc  ", ["a", "b", "c"]),
        ("-DX='a b' \"c d\"", ["-DX=a b", "c d"]),
        (r"a\ b \"c\" d\\e", ["a b", '"c"', r"d\e"]),
        (r'"a \" b" ' + r"'c\'d'", ['a " b', "c'd"]),
        ("'' \"\"", ["", ""]),
        ("-I'a'\"b\"c", ["-Iabc"]),
        ("a\\\nb", ["a\nb"]),
        ("a'b", ["a'b"]),
    ],
)
def test_words(text: str, words: list[str]) -> None:
    assert split_arguments(text) == words


def test_files_name_files(tmp_path: Path) -> None:
    inner, outer = tmp_path / "inner", tmp_path / "outer"
    inner.write_text("-c 'k l.cpp'")
    outer.write_text(f"-fsycl @{inner} -O1")
    assert expanded(["a", f"@{outer}", "b"]) == ["a", "-fsycl", "-c", "k l.cpp", "-O1", "b"]


def test_a_file_that_is_not_there_stays_a_word() -> None:
    assert expanded(["@none/at/all", "@"]) == ["@none/at/all", "@"]


def test_a_file_that_names_itself(tmp_path: Path) -> None:
    file = tmp_path / "words"
    file.write_text(f"x @{file}")
    with pytest.raises(UsageError, match="names itself"):
        expanded([f"@{file}"])


def test_a_long_word_of_many_parts() -> None:
    few, many = ("a\\b" * count for count in (20_000, 320_000))
    assert split_arguments(many) == ["ab" * 320_000]
    # 16 times as much; 256 times the effort would be that of its square.
    assert effort(lambda: split_arguments(many)) < 64 * effort(lambda: split_arguments(few))

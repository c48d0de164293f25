"""Reading clang-style command lines."""

import pytest

from dovetail.driver import options as o
from dovetail.errors import UsageError


def read(*words: str) -> list[tuple[str, str]]:
    return [(g.option.spelling if g.option else "", g.value) for g in o.read_options(words)]


def test_forms() -> None:
    assert read("-std=gnu++23") == [("-std=", "gnu++23")]
    assert read("-Iinc", "-I", "inc2", "-isystem", "sys", "-std=c++20", "-g", "k.cpp") == [
        ("-I", "inc"),
        ("-I", "inc2"),
        ("-isystem", "sys"),
        ("-std=", "c++20"),
        ("-g", ""),
        ("", "k.cpp"),
    ]


def test_longest_spelling_wins() -> None:
    assert read("-include", "a.h") == [("-include", "a.h")]
    assert read("-Include") == [("-I", "nclude")]


def test_inputs_behind_two_dashes() -> None:
    assert read("-g", "--", "-odd.cpp") == [("-g", ""), ("", "-odd.cpp")]


def test_value_may_start_with_a_dash() -> None:
    assert read("-D", "-odd") == [("-D", "-odd")]


@pytest.mark.parametrize(
    ("words", "message", "hint"),
    [
        (["-fsyclbim"], "unknown option '-fsyclbim'", "did you mean '-fsyclbin'?"),
        (["--frobnicate"], "unknown option '--frobnicate'", "--help lists"),
        (["-o"], "'-o' needs a value", "-oFILE"),
        (["-isystem"], "'-isystem' needs a value", "-isystem DIR"),
        (["-std=c++11"], "SYCL cannot be compiled as 'c++11'", "c++17, c++20"),
        (["-O9"], "there is no optimisation level '9'", "0, 1, 2"),
    ],
)
def test_errors(words: list[str], message: str, hint: str) -> None:
    with pytest.raises(UsageError) as caught:
        read(*words)
    assert message in caught.value.message
    assert hint in caught.value.hint

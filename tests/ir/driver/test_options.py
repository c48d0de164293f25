"""Reading clang-style command lines."""

import pytest

from dovetail.driver import options as o
from dovetail.errors import UsageError
from dovetail.postlink import OptionalFeatures


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
        (["-std=c++11"], "unsupported standard 'c++11'", "c++17, c++20"),
        (["-Ox"], "unknown optimization level 'x'", "0, 1, 2"),
        (["-O-1"], "unknown optimization level '-1'", "0, 1, 2"),
        (["-std=c+11"], "unsupported standard 'c+11'", "c++17, c++20"),
    ],
)
def test_errors(words: list[str], message: str, hint: str) -> None:
    with pytest.raises(UsageError) as caught:
        read(*words)
    assert message in caught.value.message
    assert hint in caught.value.hint


def test_levels_that_come_to_others() -> None:
    levels = {"0": "0", "3": "3", "4": "3", "7": "3", "12": "3", "": "1", "g": "1", "fast": "3"}
    assert {given: o.optimization_level(given) for given in levels} == levels
    assert "using '-O3' instead" in o.level_remark("7")[0]
    assert o.level_remark("4") == ("-O4 is equivalent to -O3", "deprecated")
    assert o.level_remark("fast")[1] == "deprecated-ofast"
    assert not any(o.level_remark(given)[0] for given in ("0", "1", "2", "3", "s", "z", "g", ""))


def test_optional_features() -> None:
    assert read("-fsycl-optional-features=conditional")[0][1] == "conditional"
    assert o.optional_features("split") is OptionalFeatures.SPLIT
    with pytest.raises(UsageError) as caught:
        read("-fsycl-optional-features=conditionally")
    assert (
        "invalid value 'conditionally' in '-fsycl-optional-features=conditionally'"
        in caught.value.message
    )
    assert "did you mean 'conditional'?" in caught.value.hint
    with pytest.raises(UsageError) as caught:
        o.optional_features("x")
    assert caught.value.hint == "use one of split, conditional"

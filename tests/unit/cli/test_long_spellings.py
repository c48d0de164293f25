"""Clang's long spellings mean what the short ones mean."""

import pytest

from dovetail.cli.long_spellings import short_spellings


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        (["--output=x", "a.cpp"], ["-o", "x", "a.cpp"]),
        (["--output", "x"], ["-o", "x"]),
        (["--std=c++20"], ["-std=c++20"]),
        (["--std", "c++20"], ["-std=c++20"]),
        (["--define-macro=V=5"], ["-D", "V=5"]),
        (["--include-directory", "inc"], ["-I", "inc"]),
        (["--include=x.h"], ["-include", "x.h"]),
        (["--shared", "--compile"], ["-shared", "-c"]),
        (["--static"], ["-static"]),
        (["--optimize=3", "--optimize"], ["-O3", "--optimize"]),
        (["--", "--output=x"], ["--", "--output=x"]),
        (["--imacros=x.h", "--no-standard-includes"], ["-imacros", "x.h", "-nostdinc"]),
        (["--stdlib", "libc++", "--sysroot", "/"], ["-stdlib=libc++", "--sysroot=/"]),
        (["-Xlinker", "--verbose", "--verbose"], ["-Xlinker", "--verbose", "-v"]),
        (["--coverage", "--target=x"], ["-coverage", "--target=x"]),
    ],
)
def test_long_options_become_short_ones(given: list[str], meant: list[str]) -> None:
    assert short_spellings(given) == meant


def test_words_for_the_preprocessor_that_are_for_us() -> None:
    assert short_spellings(["-Wp,-MD,a.d", "-Wp,-MMD,b.d"]) == [
        "-MD",
        "-MF",
        "a.d",
        "-MMD",
        "-MF",
        "b.d",
    ]
    assert short_spellings(["-Wp,-MD", "-Wp,-MD,a.d,-MT,x"]) == ["-MD", "-MD"], "as clang has it"
    assert short_spellings(["-Wp,-DX,-DY"]) == ["-Wp,-DX,-DY"]


def test_one_dash_or_two() -> None:
    assert short_spellings(["--save-temps", "--save-temps=obj"]) == [
        "-save-temps",
        "-save-temps=obj",
    ]

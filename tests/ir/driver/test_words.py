"""Where each word of a compiler's command line goes."""

import pytest

from dovetail.cli.command_line import CommandLine, Input
from dovetail.cli.cxx_sycl import OPTIONS
from dovetail.driver import options as o
from dovetail.driver.clang_options import UNKNOWN
from dovetail.driver.inputs import language_of
from dovetail.errors import UsageError


def read(*words: str) -> CommandLine:
    return CommandLine.read(words, OPTIONS, UNKNOWN)


@pytest.mark.parametrize(
    "words",
    [
        ["-fno-exceptions"],
        ["-frtti"],
        ["-ftemplate-depth=7"],
        ["-ffast-math"],
        ["-fdiagnostics-color=always"],
        ["-pedantic"],
        ["-iquote", "dir"],
        ["-idirafterdir"],
        ["-nostdinc++"],
        ["-Wp,-DX"],
        ["-undef"],
    ],
)
def test_words_for_both_sides(words: list[str]) -> None:
    line = read(*words)
    assert line.language == words
    assert (line.host, line.device, line.linked) == ([], [], [])


@pytest.mark.parametrize(
    ("words", "is_linked"),
    [
        (["-Xclang", "-fsomething"], False),
        (["-mllvm", "-inline-threshold=3"], False),
        (["-include-pch", "x.pch"], False),
        (["-march=native"], True),
        (["-mavx2"], True),
        (["-pthread"], True),
        (["-fsanitize=address"], True),
        (["-fvisibility=hidden"], True),
        (["-fopenmp"], True),
        (["-unwindlib=libunwind"], True),
        (["-never-heard-of-it"], True),
    ],
)
def test_words_for_the_host(words: list[str], is_linked: bool) -> None:
    line = read(*words)
    assert (line.language, line.host, line.device) == ([], words, [])
    assert line.linked == (words if is_linked else [])


def test_words_for_the_linker_keep_their_places() -> None:
    before = ["-Ldir", "-l", "m", "-Wl,-rpath,x"]
    after = [
        "-no-pie",
        "-fuse-ld=gold",
        "-Xlinker",
        "--foo",
        "-u",
        "name",
        "-z",
        "now",
        "-lq",
        "-rdynamic",
    ]
    line = read("a.cpp", *before, "b.o", *after)
    assert line.linked == [Input("a.cpp"), *before, Input("b.o"), *after]
    assert (line.language, line.host) == ([], [])


@pytest.mark.parametrize("word", ["-fPIC", "-fPIE", "-fno-pic"])
def test_words_that_could_only_do_harm(word: str) -> None:
    """All host code can become part of a library."""
    line = read(word)
    assert (line.language, line.host, line.linked) == ([], [], [])


def test_values_in_the_next_word() -> None:
    """Of options that this driver knows from clang's headers only."""
    line = read("-Xopenmp-target", "-O1", "-specs", "file", "a.cpp")
    assert line.inputs == ["a.cpp"]
    assert line.host == ["-Xopenmp-target", "-O1", "-specs", "file"]


def test_words_for_one_side() -> None:
    line = read("-Xarch_host", "-DHOST", "-Xarch_device", "-DDEVICE")
    assert (line.host, line.device) == (["-DHOST"], ["-DDEVICE"])


def test_headers_that_cmake_precompiles() -> None:
    words = ["-include-pch", "x.pch", "-include", "x.hpp"]
    flags = read(*(part for word in words for part in ("-Xclang", word))).flags()
    assert flags.device[1::2] == ("-include", "x.hpp"), "the precompiled one is the host's"
    assert flags.host[1::2] == tuple(words)


def test_what_flags_say() -> None:
    flags = read("-Ofast", "-gdwarf-4", "-std=gnu++2b", "-DA", "-D", "B=1", "-UA", "-w").flags()
    assert (flags.optimization, flags.debug, flags.standard) == ("3", True, "gnu++2b")
    assert flags.language == ("-ffast-math",)
    assert flags.host == ("-gdwarf-4",)
    assert flags.macros == ("-DA", "-DB=1", "-UA")
    assert not read("-g", "-g0").flags().debug
    assert read("-O").flags().optimization == "1"


def test_languages_of_inputs() -> None:
    line = read("a.cpp", "-x", "c", "b.cpp", "-xc++", "c", "-x", "none", "d.o", "--", "-e.cpp")
    given = [each for each in line.linked if isinstance(each, Input)]
    assert [each.path for each in given] == ["a.cpp", "b.cpp", "c", "d.o", "-e.cpp"]
    assert [language_of(each.path, each.language) for each in given] == [
        "c++",
        "c",
        "c++",
        "",
        "c++",
    ]


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("a.cc", "c++"),
        ("a.C", "c++"),
        ("a.c", "c++"),
        ("a.i", "c++-cpp-output"),
        ("a.S", "assembler-with-cpp"),
        ("a.ii", "c++-cpp-output"),
        ("libx.so.1", ""),
        ("libx.a", ""),
        ("a.hpp", "c++-header"),
    ],
)
def test_languages_by_name(path: str, language: str) -> None:
    assert language_of(path) == language


def test_what_clang_is_given_if_it_does_all() -> None:
    words = ["-E", "-x", "c++", "-DX", "-I", "dir", "-Wall", "-O1", "-g", "a.cpp", "-o", "out"]
    words += ["-MD", "-MF", "file", "-l", "m"]
    line = read("-fsycl", "-fsycl-targets=spir64", *words, "-Xarch_device", "-DD")
    assert line.for_clang == words


@pytest.mark.parametrize("word", ["-fsycl-target=x", "-fsyclbn", "-fsycl-device-code-splt=off"])
def test_misspelt_words_of_ours(word: str) -> None:
    with pytest.raises(UsageError, match="unknown option") as caught:
        read(word)
    assert "did you mean" in caught.value.hint


def test_words_that_need_others() -> None:
    for word in ("-o", "-l", "-Xlinker", "-MF", "-x"):
        with pytest.raises(UsageError, match="needs a value"):
            read(word)


def test_every_option_of_ours_is_told_of() -> None:
    for option in (*o.OPTIONS, *o.OBJECT_OPTIONS):
        assert option.help

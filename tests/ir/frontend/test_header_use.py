"""Which sources are compiled with the precompiled header."""

from pathlib import Path

import pytest

from dovetail.cli.main import main
from dovetail.frontend import Flags, Source, can_use_header
from dovetail.resources import include_directory

INCLUDE = "#include <sycl/sycl.hpp>\n"


@pytest.mark.parametrize(
    ("text", "takes"),
    [
        (INCLUDE, True),
        ('#include "sycl/sycl.hpp"\n', True),
        (f"// a comment\n#pragma once\n#include <vector>\n{INCLUDE}", True),
        ("  #  include <sycl/sycl.hpp>", True),
        (f"#define N 16\n#define error(a, b) 0\n{INCLUDE}", True),
        (f"#ifdef X\n{INCLUDE}#endif\n", True),
        (f'#include "not_there.h"\n{INCLUDE}', True),
        (f"#undef X\n{INCLUDE}", True),
        (f"{INCLUDE}#define NDEBUG\n", True),
        (f"#define NDEBUG\n{INCLUDE}", False),
        (f"#define _GLIBCXX_DEBUG\n{INCLUDE}", False),
        (f"# define SYCL_SIMPLE_SWIZZLES 1\n{INCLUDE}", False),
        (f"#undef __cpp_exceptions\n{INCLUDE}", False),
        ("#include <sycl/half.hpp>\n", False),
        ("void f();\n", False),
        ("", False),
    ],
)
def test_can_use_header(text: str, takes: bool) -> None:
    assert can_use_header(Source.from_text(text), Flags()) is takes


@pytest.mark.parametrize(
    ("header", "takes"),
    [
        ("#define SIZE 3\n", True),
        ("#ifndef _OWN_H\n#define _OWN_H\nvoid f();\n#endif\n", True),
        (f"#pragma once\n{INCLUDE}#define NDEBUG\n", True),
        ('#include "own.h"\n', True),
        ("#define NDEBUG\n", False),
        ("#ifndef NDEBUG\n#define NDEBUG\n#endif\n", False),
        ("#define X\n#ifndef _OTHER\n#define _OTHER\n#endif\n", False),
        ('#include "nested/other.h"\n', False),
    ],
)
def test_own_headers_are_scanned(tmp_path: Path, header: str, takes: bool) -> None:
    (tmp_path / "a" / "nested").mkdir(parents=True)
    (tmp_path / "a" / "own.h").write_text(header)
    (tmp_path / "a" / "nested" / "other.h").write_text("#define SYCL_X\n")
    source = tmp_path / "a" / "k.cpp"
    source.write_text(f'#include "own.h"\n{INCLUDE}')
    assert can_use_header(Source.from_file(source), Flags()) is takes
    text = Source.from_text(f"#include <own.h>\n{INCLUDE}")
    for option in (f"-I{tmp_path}/a", f"-isystem{tmp_path}/a"):
        assert can_use_header(text, Flags(include_directories=(option,))) is takes
    assert can_use_header(text, Flags(include_directories=("-iquote", f"{tmp_path}/a")))
    before = Flags(include_directories=("-include", str(tmp_path / "a" / "own.h")))
    assert can_use_header(Source.from_text(INCLUDE), before) is takes


def test_headers_of_another_implementation(tmp_path: Path) -> None:
    (tmp_path / "sycl").mkdir()
    (tmp_path / "sycl" / "sycl.hpp").touch()
    flags = Flags(include_directories=(f"-I{tmp_path}",))
    assert not can_use_header(Source.from_text(INCLUDE), flags)
    ours = Flags(include_directories=(f"-I{include_directory()}",))
    assert can_use_header(Source.from_text(INCLUDE), ours)


def test_a_macro_that_a_header_defines_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """The header's definition comes last, as the source has it."""
    monkeypatch.chdir(tmp_path)
    main_function = 'int main() { static_assert(CHAR_BIT == 8, ""); }\n'
    Path("a.cpp").write_text(f"#define CHAR_BIT 7\n#include <climits>\n{INCLUDE}{main_function}")
    Path("b.cpp").write_text(f"{INCLUDE}#include <climits>\n#define CHAR_BIT 7\n{main_function}")
    assert main(["c++", "-fsycl", "a.cpp", "-o", "a"]) == 0
    assert capfd.readouterr().err == ""
    assert main(["c++", "-fsycl", "b.cpp", "-o", "b"]) == 1
    said = capfd.readouterr().err
    assert "b.cpp:3:9: warning: 'CHAR_BIT' macro redefined" in said
    assert "-Werror" not in said

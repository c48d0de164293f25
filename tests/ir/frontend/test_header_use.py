"""Which sources are compiled with the precompiled header."""

from pathlib import Path

import pytest

from dovetail.cli.main import main
from dovetail.frontend import Flags, Source, header_macros
from dovetail.resources import include_directory

INCLUDE = "#include <sycl/sycl.hpp>\n"


def can_use_header(source: Source, flags: Flags) -> bool:
    return header_macros(source, flags) == ()


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
        ("#include <CL/sycl.hpp>\n", True),
        (f"#undef __cpp_exceptions\n{INCLUDE}", False),
        ("#include <sycl/half.hpp>\n", False),
        ("void f();\n", False),
        ("", False),
    ],
)
def test_can_use_header(text: str, takes: bool) -> None:
    assert can_use_header(Source.from_text(text), Flags()) is takes


COMMENT = "// a line\n/* not one\n * line */\n"


@pytest.mark.parametrize(
    ("text", "macros"),
    [
        ("#define NDEBUG\n", ["-DNDEBUG="]),
        ("#define _GLIBCXX_DEBUG 1\n", ["-D_GLIBCXX_DEBUG=1"]),
        (
            "# define SYCL_SIMPLE_SWIZZLES\n#define NDEBUG\n",
            ["-DSYCL_SIMPLE_SWIZZLES=", "-DNDEBUG="],
        ),
        (f"{COMMENT}#ifndef NDEBUG\n#define NDEBUG // off\n#endif\n", ["-DNDEBUG="]),
        ("#ifdef X\n#else\n#endif\n#define NDEBUG\n", ["-DNDEBUG="]),
        ("#include <vector>\n#define SYCL_X 1\n", ["-DSYCL_X=1"]),
        ('#include "missing.h"\n#define DOVETAIL_X\n', ["-DDOVETAIL_X="]),
        ("#define _GNU_SOURCE\n#define __STDC_FORMAT_MACROS 1\n", []),
        ("#define _SEEN_NOWHERE 1\n#undef _SEEN_NOWHERE\n", []),
        # What is only defined sometimes, or after something that may depend on it.
        ("#ifdef X\n#define NDEBUG\n#endif\n", None),
        ("#ifndef NDEBUG\n#else\n#define NDEBUG\n#endif\n", None),
        ("#ifdef NDEBUG\n#endif\n#define NDEBUG\n", None),
        ("#include <cassert>\n#define NDEBUG\n", None),
        ('#include "missing.h"\n#define NDEBUG\n', None),
        ("/*\n#define NDEBUG\n*/\n", None),
        ('const char *s = R"(\n#define NDEBUG\n)";\n', None),
        ("#define NDEBUG 1 + 1\n", None),
        ("#define NDEBUG \\\n 1\n", None),
        ("#define SYCL_X(a) a\n", None),
        ("#define NDEBUG\n#undef NDEBUG\n", None),
        ("#define NDEBUG\n#define NDEBUG\n", None),
    ],
)
def test_macros_of_the_source_select_the_header(text: str, macros: list[str] | None) -> None:
    def is_tested(name: str) -> bool:
        return name != "_SEEN_NOWHERE"

    found = header_macros(Source.from_text(text + INCLUDE), Flags(), is_tested)
    assert (found if found is None else list(found)) == macros


def test_options_that_define_the_macro() -> None:
    text = f"#ifndef NDEBUG\n#define NDEBUG\n#endif\n{INCLUDE}"
    assert header_macros(Source.from_text(text), Flags(macros=("-DNDEBUG",))) == ()
    assert header_macros(Source.from_text(text), Flags(macros=("-DN",))) == ("-DNDEBUG=",)


@pytest.mark.parametrize(
    ("source", "header", "macros"),
    [
        ('#include "own.h"\n', "#define NDEBUG\n", ("-DNDEBUG=",)),
        (
            '#include "own.h"\n',
            "#ifndef OWN_H\n#define OWN_H\n#define NDEBUG\n#endif",
            ("-DNDEBUG=",),
        ),
        ('#ifdef X\n#include "own.h"\n#endif\n', "#define NDEBUG\n", None),
        ('#ifdef NDEBUG\n#endif\n#include "own.h"\n', "#define NDEBUG\n", None),
        ('#include "own.h"\n#define NDEBUG\n', "#ifdef NDEBUG\n#endif\n", None),
        ('#include "own.h"\n#define NDEBUG\n', "#include <vector>\n", None),
    ],
)
def test_macros_of_own_headers(
    tmp_path: Path, source: str, header: str, macros: tuple[str, ...] | None
) -> None:
    (tmp_path / "own.h").write_text(header)
    path = tmp_path / "k.cpp"
    path.write_text(source + INCLUDE)
    assert header_macros(Source.from_file(path), Flags()) == macros


@pytest.mark.parametrize(
    ("header", "takes"),
    [
        ("#define SIZE 3\n", True),
        ("#ifndef _OWN_H\n#define _OWN_H\nvoid f();\n#endif\n", True),
        (f"#pragma once\n{INCLUDE}#define NDEBUG\n", True),
        ('#include "own.h"\n', True),
        ("#ifdef A\n#define NDEBUG\n#endif\n", False),
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

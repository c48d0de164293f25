"""What SYCL 2020 deprecates draws one warning at each use, which programs can disable."""

import re
from pathlib import Path

import pytest
from variants import variant

from dovetail.cli.main import main

SOURCE = Path(__file__).with_name("deprecated.cpp")

EXPECTED = [
    number
    for number, line in enumerate(SOURCE.read_text().splitlines(), 1)
    if line.endswith("// DEPRECATED")
]


def warned_lines(capsys: pytest.CaptureFixture[str], source: Path, *options: str) -> list[int]:
    """Return the lines of all warnings about deprecated declarations."""
    assert main(["c++", "-fsycl", "-fsyntax-only", *options, str(source)]) == 0
    flag = re.escape("[-Wdeprecated-declarations]")
    pattern = rf"^{re.escape(str(source))}:(\d+):\d+: warning: .*{flag}$"
    text = capsys.readouterr().err
    found = re.findall(pattern, text, re.M)
    assert text.count("warning: ") == len(found)
    return sorted(map(int, found))


def test_warnings(capsys: pytest.CaptureFixture[str]) -> None:
    assert warned_lines(capsys, SOURCE) == EXPECTED
    assert len(EXPECTED) > 20


@pytest.mark.parametrize(
    "option",
    [
        "-Wno-deprecated-declarations",
        variant("-DSYCL2020_DISABLE_DEPRECATION_WARNINGS"),
        variant("-DSYCL_DISABLE_DEPRECATION_WARNINGS=1"),
    ],
)
def test_options(capsys: pytest.CaptureFixture[str], option: str) -> None:
    assert warned_lines(capsys, SOURCE, option) == []


def test_macro_in_the_source(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    source = tmp_path / "k.cpp"
    source.write_text(f"#define SYCL2020_DISABLE_DEPRECATION_WARNINGS\n{SOURCE.read_text()}")
    assert warned_lines(capsys, source) == []


def test_old_header(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    source = tmp_path / "k.cpp"
    source.write_text("\n#include <CL/sycl.hpp>\n")
    assert main(["c++", "-fsycl", "-fsyntax-only", str(source)]) == 0
    text = capsys.readouterr().err
    assert text.startswith(
        f'{source}:2:1: warning: "CL/sycl.hpp is deprecated, use sycl/sycl.hpp" [-W#warnings]\n'
    )
    assert text.endswith("\n1 warning generated.\n")
    macro = "-DSYCL2020_DISABLE_DEPRECATION_WARNINGS"
    assert main(["c++", "-fsycl", "-fsyntax-only", macro, str(source)]) == 0
    assert capsys.readouterr().err == ""

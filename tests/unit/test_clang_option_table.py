"""The table of clang's options that is written from clang's headers when the package is built."""

import subprocess
import sys
from pathlib import Path

import pytest

import write_table
from dovetail.driver.clang_options import CLANG_OPTIONS, SHORT_SPELLINGS, TAKE_NEXT_WORD
from dovetail.driver.options import Form, Goes
from write_table import TableError, read_options, rows, short_spellings, table

HEADER = """\
static constexpr llvm::StringTable::Offset OptionPrefixesTable[] = {
  0 /* prefixes */,
  1 /* prefixes */, 1 /* '-' */,
  2 /* prefixes */, 1 /* '-' */, 3 /* '--' */,
  1 /* prefixes */, 3 /* '--' */
};
"""
ONE_DASH, EITHER_DASH, TWO_DASHES = 1, 3, 6
"""Places in that table."""


def option(
    prefixes: int,
    spelling: str,
    id: str,
    kind: str,
    alias: str = "INVALID",
    values: str = "nullptr",
    visibility: str = "DefaultVis",
) -> str:
    fields = f"{id}, {kind}, f_Group, {alias}, {values}, NoXarchOption | HelpHidden, {visibility}"
    return f"OPTION({prefixes}, 7 /* {spelling} */, {fields}, 0,\n  nullptr)\n"


def test_options_of_the_driver_alone() -> None:
    inside = option(ONE_DASH, "-cc", "cc", "Flag", visibility="CC1Option")
    text = (
        HEADER
        + option(0, "<input>", "INPUT", "Input")
        + inside
        + option(ONE_DASH, "-e", "e", "Flag")
    )
    assert [read.spelling for read in read_options(text)] == ["-e"]


def test_short_spellings() -> None:
    text = HEADER + "".join(
        [
            option(ONE_DASH, "-o", "o", "JoinedOrSeparate"),
            option(ONE_DASH, "-c", "c", "Flag"),
            option(ONE_DASH, "-std=", "std", "Joined"),
            option(TWO_DASHES, "--output", "output", "Separate", "o"),
            option(TWO_DASHES, "--output=", "output_EQ", "Joined", "o"),
            option(TWO_DASHES, "--compile", "compile", "Flag", "c"),
            option(TWO_DASHES, "--fast", "fast", "Flag", "o", '"3\\0"'),
            option(TWO_DASHES, "--odd", "odd", "Flag", "o"),
        ]
    )
    assert short_spellings(read_options(text)) == {
        "--output": ("-o", "SEPARATE"),
        "--output=": ("-o", "SEPARATE"),
        "--compile": ("-c", "FLAG"),
    }


def test_both_dashes() -> None:
    text = (
        HEADER
        + option(EITHER_DASH, "-rtlib=", "rtlib", "Joined")
        + option(EITHER_DASH, "-coverage", "c", "Flag")
    )
    assert short_spellings(read_options(text)) == {
        "--rtlib=": ("-rtlib=", "JOINED"),
        "--coverage": ("-coverage", "FLAG"),
    }


def test_routes_and_values(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("routes.ROUTES", {("LINK",): ("-l",)})
    monkeypatch.setattr("routes.LANGUAGE", ("rtti",))
    text = HEADER + "".join(
        [
            option(ONE_DASH, "-l", "l", "JoinedOrSeparate"),
            option(ONE_DASH, "-fno-rtti", "fno_rtti", "Flag"),
            option(ONE_DASH, "-arch", "arch", "Separate"),
            option(ONE_DASH, "-fother", "fother", "Flag"),
        ]
    )
    assert rows(read_options(text)) == [
        (("LINK",), "EITHER", "-l"),
        (("HOST", "DEVICE"), "FLAG", "-fno-rtti"),
        (("HOST", "LINK"), "SEPARATE", "-arch"),
    ]


def test_a_route_of_an_option_that_clang_does_not_have(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("routes.ROUTES", {("LINK",): ("-gone",)})
    with pytest.raises(TableError, match=r"no option '-gone': remove it from .*routes\.py"):
        rows(read_options(HEADER + option(ONE_DASH, "-e", "e", "Flag")))


@pytest.mark.parametrize("text", ["", HEADER, HEADER + "OPTION(another, form)\n"])
def test_headers_of_another_release(text: str) -> None:
    with pytest.raises(TableError, match="install libclang-22-dev"):
        table(text)


def test_missing_headers(tmp_path: Path) -> None:
    script = [sys.executable, write_table.__file__, "Options.inc", "out.py"]
    run = subprocess.run(script, cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 1
    assert run.stderr == "Options.inc is missing: install the Debian package libclang-22-dev\n"


def test_what_the_package_has() -> None:
    """Known since clang's first releases."""
    named = {row.spelling: row for row in CLANG_OPTIONS}
    assert named["-Xlinker"][1:] == (Form.SEPARATE, "", "", Goes.LINK)
    assert named["-iquote"][1:] == (Form.EITHER, "", "", Goes.HOST | Goes.DEVICE)
    assert named["-fno-rtti"][1:] == (Form.FLAG, "", "", Goes.HOST | Goes.DEVICE)
    assert named["-ftemplate-depth="].form is Form.JOINED
    assert named["-fuse-ld="].goes is Goes.LINK
    assert named["-fPIE"].goes is Goes.NOWHERE
    assert len(named) == len(CLANG_OPTIONS)
    assert {"-o", "-x", "-l", "-z", "-framework"} <= TAKE_NEXT_WORD
    assert SHORT_SPELLINGS["--include="] == ("-include", Form.SEPARATE)
    assert "--optimize" not in SHORT_SPELLINGS, "clang refuses it"

"""Findings in clang's form; what clang itself prints is compared where clang is."""

from pathlib import Path

from dovetail.analysis import (
    RULES,
    Finding,
    Note,
    SourceLines,
    colored,
    message_text,
    parse_warning_options,
)
from dovetail.analysis.rules import WarningOptions
from dovetail.facts import Place

RULE = RULES["sycl-undeclared-aspect"]


def finding(file: str) -> Finding:
    return Finding(
        RULE,
        "function 'f' uses aspect 'fp64', which its attribute 'device_has' does not list",
        Place(file, 2, 6),
        (
            Note("attribute is here", Place(file, 1, 3)),
            Note("uses aspect 'fp64' here: literal of type 'double'", Place(file, 3, 9), True),
        ),
    )


SOURCE = "[[sycl::device_has()]]\nvoid f() {\n\treturn 1.0;\n}\n"


def test_a_message_with_notes() -> None:
    lines = SourceLines({"<stdin>": SOURCE})
    assert message_text(finding("<stdin>"), WarningOptions(), lines) == (
        "<stdin>:2:6: warning: function 'f' uses aspect 'fp64', which its attribute 'device_has'"
        " does not list [-Wsycl-undeclared-aspect]\n"
        "    2 | void f() {\n"
        "      |      ^\n"
        "<stdin>:1:3: note: attribute is here\n"
        "    1 | [[sycl::device_has()]]\n"
        "      |   ^\n"
        "<stdin>:3:9: note: uses aspect 'fp64' here: literal of type 'double'\n"
        "    3 |         return 1.0;\n"
        "      |                ^"
    )


def test_a_file_that_has_vanished_has_no_excerpt() -> None:
    text = message_text(finding("gone.cpp"), parse_warning_options(["-Werror"]), SourceLines())
    assert text.splitlines() == [
        "gone.cpp:2:6: error: function 'f' uses aspect 'fp64', which its attribute 'device_has'"
        " does not list [-Werror,-Wsycl-undeclared-aspect]",
        "gone.cpp:1:3: note: attribute is here",
        "gone.cpp:3:9: note: uses aspect 'fp64' here: literal of type 'double'",
    ]


def test_a_file_that_has_shrunk(tmp_path: Path) -> None:
    file = tmp_path / "a.cpp"
    file.write_text("short")
    text = message_text(finding(str(file)), WarningOptions(), SourceLines())
    assert [line for line in text.splitlines() if "|" in line] == ["    1 | short", "      |   ^"]


def test_silenced() -> None:
    options = parse_warning_options(["-Wno-sycl-undeclared-aspect"])
    assert message_text(finding("gone.cpp"), options, SourceLines()) == ""


def test_colors_are_clangs() -> None:
    lines = SourceLines({"a.cpp": SOURCE})
    text = message_text(
        Finding(RULE, "m", Place("a.cpp", 2, 6), (Note("n", Place("gone", 1, 1)),)),
        WarningOptions(),
        lines,
    )
    assert colored(text) == (
        "\x1b[1ma.cpp:2:6: \x1b[0m\x1b[0;1;35mwarning: \x1b[0m\x1b[1mm [-Wsycl-undeclared-aspect]"
        "\x1b[0m\n"
        "    2 | void f() {\n"
        "      | \x1b[0;1;32m     ^\x1b[0m\n"
        "\x1b[1mgone:1:1: \x1b[0m\x1b[0;1;36mnote: \x1b[0mn\x1b[0m"
    )


def test_colored_lines_and_excerpts_are_kept() -> None:
    for line in (
        "In file included from a.cpp:1:",
        "    3 | // error: in a comment",
        "\x1b[1ma.cpp:1:1: \x1b[0merror: m",
        "3 warnings generated.",
    ):
        assert colored(line) == line
    assert colored("dovetail: error: no") == (
        "\x1b[1mdovetail: \x1b[0m\x1b[0;1;31merror: \x1b[0m\x1b[1mno\x1b[0m"
    )

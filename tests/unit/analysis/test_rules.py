"""What `-W` words make of our warnings; tests of clang's own form are with those that need it."""

import pytest

from dovetail.analysis import RULES, parse_warning_options, without_dovetail_warnings

NAME = "sycl-undeclared-aspect"


@pytest.mark.parametrize(
    ("words", "level", "flag"),
    [
        ("", "warning", f"-W{NAME}"),
        ("-Wall -Wno-error=unused", "warning", f"-W{NAME}"),
        (f"-Wno-{NAME}", None, f"-W{NAME}"),
        (f"-Wno-{NAME} -W{NAME}", "warning", f"-W{NAME}"),
        ("-Werror", "error", f"-Werror,-W{NAME}"),
        ("-Werror -Wno-error", "warning", f"-W{NAME}"),
        (f"-Werror={NAME}", "error", f"-Werror,-W{NAME}"),
        (f"-Werror -Wno-error={NAME}", "warning", f"-W{NAME}"),
        ("-Werror -w", None, f"-W{NAME}"),
        ("-Werror=sycl-mismatched-aspects", "warning", f"-W{NAME}"),
    ],
)
def test_levels(words: str, level: str | None, flag: str) -> None:
    options = parse_warning_options(words.split())
    assert options.level(RULES[NAME]) == level
    assert options.flag(RULES[NAME]) == flag


def test_an_error_stays_one() -> None:
    rule = RULES["sycl-recursion"]
    options = parse_warning_options([f"-Wno-{rule.name}", f"-Wno-error={rule.name}", "-w"])
    assert options.level(rule) == "error"
    assert options.flag(rule) == ""


def test_options_of_dovetail_are_removed_for_clang() -> None:
    words = ["-Wall", f"-Werror={NAME}", "-Werror", f"-Wno-{NAME}", "-Wno-unused", "-w"]
    assert without_dovetail_warnings(words) == ("-Wall", "-Werror", "-Wno-unused", "-w")

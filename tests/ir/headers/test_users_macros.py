"""Macros that programs define before they include our headers change nothing there."""

import re
import string
from collections.abc import Callable
from pathlib import Path

import pytest

WORDS = (
    *string.ascii_uppercase,
    *("ABS", "ALIGN", "ASSERT", "BLOCK", "BLOCK_SIZE", "CHECK", "COLS", "COUNT", "DEBUG", "DEPTH"),
    *("DIM", "DIMS", "EPS", "ERROR", "FALSE", "HEIGHT", "LENGTH", "LOCAL", "MAX", "MIN", "NDIM"),
    *("NUM", "OFFSET", "PI", "RANGE", "ROWS", "SIZE", "STEP", "STRIDE", "SWAP", "TILE", "TRUE"),
    *("TYPE", "VALUE", "WIDTH"),
)
# What cannot stand anywhere in C++.
DEFINED = "".join(f"#define {word} ) 5 x @ {{\n" for word in WORDS)
DETAIL = Path(__file__).parents[3] / "include/sycl/detail"
SUSPENDED = re.findall(r"#undef (\w+)", (DETAIL / "suspend_macros.inc").read_text())
"""Lower-case names that programs define, also as functions."""
FUNCTIONS = "".join(
    f"#define {name}(a, b, c, d, e, f, g, h, i, j) ) 5 @ {{\n" for name in SUSPENDED
)
OBJECTS = "".join(f"#define {name} ) 5 @ {{\n" for name in SUSPENDED)
USED = "#include <sycl/sycl.hpp>\n" + "".join(
    f"#ifndef {name}\n#error {name} is gone\n#endif\n#undef {name}\n" for name in SUSPENDED
)


@pytest.mark.parametrize("side", ["device", "host"])
def test_words_that_programs_define(check: Callable[..., None], side: str) -> None:
    words = ("-fsycl", f"-fsycl-{side}-only", "-std=c++17")
    check(DEFINED + FUNCTIONS + USED, *words)
    check(DEFINED + OBJECTS + USED, *words)


def test_all_suspended_macros_are_restored() -> None:
    restored = re.findall(r'pop_macro\("(\w+)"', (DETAIL / "restore_macros.inc").read_text())
    pushed = re.findall(r'push_macro\("(\w+)"', (DETAIL / "suspend_macros.inc").read_text())
    assert pushed == SUSPENDED == restored[::-1]
    assert {"min", "max", "error", "data", "size", "queue"} <= set(SUSPENDED)


def test_no_name_is_a_single_letter(include: Path) -> None:
    """Also in what only templates that nobody uses yet would expand."""
    for header in sorted(include.rglob("*.*")):
        code = re.sub(r"//.*|\"[^\"\n]*\"", "", header.read_text())
        assert re.findall(r"(?<![\w'-])[A-Z](?![\w'-])", code) == [], header

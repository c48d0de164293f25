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
LOWER_CASE = """
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
"""
USED = """
#include <sycl/sycl.hpp>
#if !defined(min) || !defined(max)
#error "what the program has defined is gone"
#endif
int main() { return min(1, max(0, 2)) - 1; }
"""


@pytest.mark.parametrize("side", ["device", "host"])
def test_words_that_programs_define(check: Callable[..., None], side: str) -> None:
    words = ("-fsycl", f"-fsycl-{side}-only", "-std=c++17")
    check(DEFINED + LOWER_CASE + USED, *words)


def test_no_name_is_a_single_letter(include: Path) -> None:
    """Also in what only templates that nobody uses yet would expand."""
    for header in sorted(include.rglob("*.*")):
        code = re.sub(r"//.*|\"[^\"\n]*\"", "", header.read_text())
        assert re.findall(r"(?<![\w'-])[A-Z](?![\w'-])", code) == [], header

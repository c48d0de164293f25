"""Linker scripts: what they name."""

import pytest
from effort import effort

from dovetail.driver.linker_script import script_inputs


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("GROUP ( /lib/a.so /* INPUT(b) */ AS_NEEDED ( -lm ) )", ["/lib/a.so", "-lm"]),
        ('INPUT("a b.o", libx.a)', ["a b.o", "libx.a"]),
        ("INPUT(a) /* INPUT(b)", ["a"]),
        ("OUTPUT_FORMAT(elf64) b", []),
    ],
)
def test_names(text: str, names: list[str]) -> None:
    assert list(script_inputs(memoryview(text.encode()))) == names


def test_comments_without_an_end() -> None:
    few, many = (memoryview(b"/* " * count) for count in (1_000, 16_000))
    # 16 times as much; 256 times the effort would be that of its square.
    assert effort(lambda: list(script_inputs(many))) < 64 * effort(lambda: list(script_inputs(few)))

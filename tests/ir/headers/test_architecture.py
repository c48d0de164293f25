"""The names and numbers of `architecture` are those of the table of targets."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from dovetail.targets import default_table

TABLE = default_table()
ENUM = "sycl::ext::oneapi::experimental::architecture"
HEADER = "#include <sycl/ext/oneapi/experimental/device_architecture.hpp>"


def numbers() -> dict[str, int]:
    """Every name of a target that is an architecture and can be one in C++, aliases too."""
    names = [name for target in TABLE for name in (target.name, *TABLE.aliases(target.name))]
    names = [name for name in names if name.isidentifier()]
    known = {name: TABLE.architecture(name) for name in names}
    # Ahead of time, x86_64 has another name, which is no architecture's.
    return {n: number for n, number in known.items() if number is not None and n != "spir64_x86_64"}


def test_every_architecture_has_its_number(
    check: Callable[..., None], side: tuple[str, ...]
) -> None:
    lines = [f"static_assert(int({ENUM}::{name}) == {n});" for name, n in numbers().items()]
    assert len(lines) > 140
    check("\n".join([HEADER, *lines]), "-std=c++17", *side)


def test_there_are_no_other_architectures(preprocess: Callable[..., str]) -> None:
    text = preprocess(HEADER, "-std=c++17")
    body = re.search(r"enum class architecture : int \{(.*?)\};", text, re.DOTALL)
    assert body
    given = dict(re.findall(r"(\w+) = ([-\w]+),", body[1]))
    assert given.pop("unknown") == "-1"
    assert given.keys() == numbers().keys()


def test_each_has_the_macro_of_its_target(include: Path) -> None:
    text = (include / "sycl/detail/architectures.inc").read_text()
    found = dict(re.findall(r"^DOVETAIL_ARCHITECTURE\((\w+), (\w+), \d+\)$", text, re.MULTILINE))
    assert {name: f"__SYCL_TARGET_{middle}__" for name, middle in found.items()} == {
        target.name: TABLE.macro(target.name) for target in TABLE if target.name in numbers()
    }

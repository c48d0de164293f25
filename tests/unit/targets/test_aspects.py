"""The numbers of aspects, which are an ABI."""

import re
from pathlib import Path

import pytest

from dovetail.errors import UsageError
from dovetail.runtime.opencl import description
from dovetail.targets import aspect_name, aspect_names, aspect_number
from dovetail.targets.aspects import deprecated_aspects, implied_aspects, is_retired

HEADER = Path(__file__).parents[3] / "include/sycl/aspects.hpp"


def test_aspects_are_those_of_the_header() -> None:
    rows = re.findall(r"^  (\w+)[^=\n]* = (\d+),", HEADER.read_text(), re.MULTILINE)
    known = [*aspect_names(), *deprecated_aspects()]
    assert len(rows) >= 100
    assert sorted(name for name, _ in rows) == sorted(known)
    assert all(aspect_number(name) == int(number) for name, number in rows)


def test_deprecated_aspects_are_those_of_the_header() -> None:
    marked = re.findall(r"^  (\w+) DOVETAIL_DEPRECATED\(", HEADER.read_text(), re.MULTILINE)
    assert sorted(marked) == sorted(deprecated_aspects())


@pytest.mark.parametrize(
    ("name", "number"),
    [("cpu", 1), ("fp16", 5), ("fp64", 6), ("image", 9), ("atomic64", 27), ("host", 0)],
)
def test_name_and_number(name: str, number: int) -> None:
    assert aspect_number(name) == aspect_number(number) == number
    assert aspect_name(name) == aspect_name(number) == name


def test_a_second_spelling_of_a_number_is_the_same_aspect() -> None:
    assert aspect_name("usm_system_allocator") == "usm_system_allocations" == aspect_name(17)


def test_deprecated_aspects_follow_from_what_replaced_them() -> None:
    assert aspect_name(7) == "int64_base_atomics"
    assert implied_aspects(("fp64", "atomic64")) == [
        "int64_base_atomics",
        "int64_extended_atomics",
    ]
    assert implied_aspects(("fp64", "cpu")) == []


def test_retired_aspects_have_no_number() -> None:
    assert is_retired("ext_intel_mem_channel")
    assert not is_retired("fp64")
    with pytest.raises(UsageError, match="unknown aspect 'ext_intel_mem_channel'"):
        aspect_number("ext_intel_mem_channel")


def test_unknown_aspects() -> None:
    with pytest.raises(UsageError) as raised:
        aspect_name("fp46")
    assert str(raised.value) == "unknown aspect 'fp46'\ndid you mean 'fp64'?"
    with pytest.raises(UsageError, match="unknown aspect '4711'"):
        aspect_name(4711)


def test_the_back_end_reports_known_aspects_only() -> None:
    text = Path(description.__file__).read_text()
    words = set(re.findall(r'"([a-z]\w+)"', text))
    reported = {
        word for word in words if word.startswith(("usm_", "online_", "queue_", "fp", "at"))
    }
    assert len(reported) >= 10
    assert all(aspect_name(word) == word for word in reported)

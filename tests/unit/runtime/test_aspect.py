"""The numbers of aspects, which are an ABI."""

import re
from pathlib import Path

import pytest

from dovetail.errors import UsageError
from dovetail.runtime.aspect import Aspect

HEADER = Path(__file__).parents[3] / "include/sycl/aspects.hpp"


def test_aspects_are_those_of_the_header() -> None:
    rows = re.findall(r"^  (\w+)[^=\n]* = (\d+),", HEADER.read_text(), re.MULTILINE)
    assert len(rows) >= 100
    assert {name.upper(): int(number) for name, number in rows} == dict(Aspect.__members__)


def test_aspects_have_names_and_numbers() -> None:
    assert Aspect.of("fp64") is Aspect.of(6) is Aspect.of(Aspect.FP64) is Aspect.FP64
    assert str(Aspect.USM_SYSTEM_ALLOCATIONS) == "usm_system_allocations"


def test_unknown_aspects() -> None:
    with pytest.raises(UsageError) as raised:
        Aspect.of("fp46")
    assert str(raised.value) == "there is no aspect 'fp46'\ndid you mean 'fp64'?"
    with pytest.raises(UsageError, match="no aspect '4711'"):
        Aspect.of(4711)

"""The description of specialization constants: DPC++'s sets, and what is wrong with others."""

from struct import pack

import pytest

from dovetail.errors import FormatError
from dovetail.image import (
    ConstantScalar,
    ImageInfo,
    SpecializationConstant,
    default_values,
    encode_info,
    read_info,
)

NUMBER = SpecializationConstant("number", 4, (ConstantScalar(0, 0, 4),))
# A character and a double, of which no code reads the bytes in between; then padding.
MIXED = SpecializationConstant("mixed", 24, (ConstantScalar(1, 0, 1), ConstantScalar(2, 8, 8)))
SET = "SYCL/specialization constants"


def test_triples_as_dpcpp_has_them() -> None:
    sets = encode_info(ImageInfo(specialization_constants=(NUMBER, MIXED)))
    assert sets[SET] == {
        "number": pack("<3I", 0, 0, 4),
        "mixed": pack("<9I", 1, 0, 1, 2, 8, 8, 0xFFFFFFFF, 16, 8),
    }
    assert read_info(sets).specialization_constants == (NUMBER, MIXED)


def test_default_values() -> None:
    data = bytes(range(28))
    assert default_values((NUMBER, MIXED), data) == {"number": data[:4], "mixed": data[4:]}
    assert default_values((), None) == {}
    with pytest.raises(FormatError, match=r"expected 4 bytes of default values .* got 3"):
        default_values((NUMBER,), b"123")


@pytest.mark.parametrize(
    ("numbers", "problem"),
    [
        ((), "expected triples of numbers, got 0 numbers"),
        ((0, 0), "expected triples of numbers, got 2 numbers"),
        ((0, 0, 0), "overlap or are empty"),
        ((0, 4, 4, 1, 0, 4), "overlap or are empty"),
        ((0, 0, 4, 1, 3, 4), "overlap or are empty"),
        ((0, 0, 4, 0, 4, 4), "two scalars have the same number"),
        ((0xFFFFFFFF, 0, 4), "it has no scalar"),
    ],
)
def test_damage(numbers: tuple[int, ...], problem: str) -> None:
    info = read_info({SET: {"c": pack(f"<{len(numbers)}I", *numbers)}})
    with pytest.raises(FormatError, match=f"set '{SET}'.*{problem}|'c'.*{problem}"):
        _ = info.specialization_constants

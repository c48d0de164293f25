"""Packing and unpacking of byte strings."""

import pytest
from hypothesis import given, strategies as st

from dovetail.errors import FormatError
from dovetail.packing import packed, unpacked


@given(st.lists(st.binary()))
def test_round_trip(parts: list[bytes]) -> None:
    assert unpacked(packed(parts)) == parts


@pytest.mark.parametrize("missing", [1, 5, 8, 12])
def test_data_that_ends_early(missing: int) -> None:
    data = packed([b"first", b"second"])
    with pytest.raises(FormatError, match="ends within part"):
        unpacked(data[:-missing])

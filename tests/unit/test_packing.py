"""Contents that were packed come back as they were."""

from hypothesis import given
from hypothesis import strategies as st

from dovetail.packing import packed, unpacked


@given(st.lists(st.binary()))
def test_contents_come_back(parts: list[bytes]) -> None:
    assert unpacked(packed(parts)) == parts

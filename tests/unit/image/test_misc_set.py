"""How an image was compiled."""

from pathlib import Path

import pytest

from dovetail.errors import FormatError
from dovetail.image import (
    MISC_PROPERTIES_SET,
    format_property_sets,
    misc_properties,
    opt_level_of,
    parse_property_sets,
    read_program,
)

DATA = Path(__file__).parent / "data"


def test_golden() -> None:
    text = format_property_sets({MISC_PROPERTIES_SET: misc_properties(2)})
    assert text == b"[SYCL/misc properties]\noptLevel=1|2\n"
    assert opt_level_of(parse_property_sets(text)) == 2
    assert opt_level_of({MISC_PROPERTIES_SET: misc_properties(0)}) == 0


def test_unknown() -> None:
    assert misc_properties(None) == {}
    assert opt_level_of({}) is None
    assert opt_level_of({MISC_PROPERTIES_SET: {"other": b"x"}}) is None


def test_intels() -> None:
    program = read_program((DATA / "reference.syclbin").read_bytes())
    assert [opt_level_of(module.metadata) for module in program.abstract_modules] == [2, 2]


def test_a_level_is_a_number() -> None:
    with pytest.raises(FormatError, match="'optLevel' of set 'SYCL/misc properties': is a byte"):
        opt_level_of({MISC_PROPERTIES_SET: {"optLevel": b"2"}})
    for level in (-1, 2**32):
        with pytest.raises(FormatError, match="'optLevel' of set 'SYCL/misc properties'"):
            misc_properties(level)

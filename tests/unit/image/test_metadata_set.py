"""The set "SYCL/program metadata"."""

import struct
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from image_sets import properties_of

from dovetail.errors import FormatError
from dovetail.image import (
    Requirements,
    format_property_sets,
    parse_property_sets,
    read_info,
    read_program,
)

DATA = Path(__file__).parent / "data"

SIZE = st.integers(1, 2**32 - 1)
NAMES = st.text("ab@_", min_size=1, max_size=3)
KERNELS = st.dictionaries(
    NAMES,
    st.builds(
        Requirements,
        aspects=st.just(()),
        sub_group_size=st.none() | SIZE,
        work_group_size=st.lists(SIZE, max_size=3).map(tuple),
    ),
    max_size=3,
)


def program_metadata(
    kernels: Mapping[str, Requirements], variables: Mapping[str, str]
) -> dict[str, int | bytes]:
    return properties_of(kernel_sizes=kernels, global_variables=variables)


def test_golden() -> None:
    kernels = {
        "w3": Requirements((6,), 16, (2, 3, 5)),
        "w2": Requirements(work_group_size=(4, 7)),
        "w1": Requirements(work_group_size=(8,)),
        "none": Requirements((6,)),
    }
    text = format_property_sets(
        {"SYCL/program metadata": program_metadata(kernels, {"uid": "_Zg"})}
    )
    assert text == (
        b"[SYCL/program metadata]\n"
        b"w3@reqd_work_group_size=2|gBAAAAAAAAQBAAAADAAAAIAAAAA\n"
        b"w3@work_group_num_dim=1|3\n"
        b"w3@reqd_sub_group_size=1|16\n"
        b"w2@reqd_work_group_size=2|gBAAAAAAAAwBAAAAEAAAAEAAAAA\n"
        b"w2@work_group_num_dim=1|2\n"
        b"w1@reqd_work_group_size=2|gBAAAAAAAAACAAAABAAAAEAAAAA\n"
        b"w1@work_group_num_dim=1|1\n"
        b"uid@global_id_mapping=2|YAAAAAAAAAwXadG\n"
    )
    sets = parse_property_sets(text)
    assert read_info(sets).kernel_sizes == {
        "w3": Requirements((), 16, (2, 3, 5)),
        "w2": Requirements(work_group_size=(4, 7)),
        "w1": Requirements(work_group_size=(8,)),
    }
    assert read_info(sets).global_variables == {"uid": "_Zg"}


def test_intels_values() -> None:
    program = read_program((DATA / "reference-sizes.syclbin").read_bytes())
    wanted = [
        {},
        {},
        {"__sycl_kernel_s1": Requirements((), 16)},
        {"__sycl_kernel_w1": Requirements((), None, (8,))},
        {"__sycl_kernel_w3": Requirements((), None, (2, 3, 5))},
    ]
    for module, sizes in zip(program.abstract_modules, wanted, strict=True):
        assert module.info.kernel_sizes == sizes
        theirs = module.metadata.get("SYCL/program metadata", {})
        assert program_metadata(sizes, {}) == theirs


def test_empty_sets() -> None:
    assert program_metadata({}, {}) == program_metadata({"k": Requirements((1,))}, {}) == {}
    assert read_info({}).kernel_sizes == read_info({}).global_variables == {}
    other = {"SYCL/program metadata": {"k@later": 1, "plain": b"x", "k@work_group_num_dim": 9}}
    assert read_info({**other}).kernel_sizes == {}


@pytest.mark.parametrize(
    ("properties", "key", "problem"),
    [
        ({"k@reqd_sub_group_size": b"1234"}, "k@reqd_sub_group_size", "got a byte array"),
        ({"k@reqd_sub_group_size": 0}, "k@reqd_sub_group_size", "size is 0"),
        ({"k@reqd_work_group_size": 8}, "k@reqd_work_group_size", "got a number"),
        ({"k@reqd_work_group_size": b""}, "k@reqd_work_group_size", "sizes, got 0"),
        ({"k@reqd_work_group_size": bytes(12)}, "k@reqd_work_group_size", "size is 0"),
        ({"k@reqd_work_group_size": b"1234" * 4}, "k@reqd_work_group_size", "sizes, got 4"),
        ({"k@reqd_work_group_size": b"12345"}, "k@reqd_work_group_size", "5 bytes"),
        (
            {"k@reqd_work_group_size": b"1234", "k@work_group_num_dim": 2},
            "k@work_group_num_dim",
            "expected 1 to 1 dimensions, got 2",
        ),
        (
            {"k@reqd_work_group_size": struct.pack("<2I", 2, 2), "k@work_group_num_dim": 1},
            "k@reqd_work_group_size",
            "other than 1",
        ),
        ({"g@global_id_mapping": 1}, "g@global_id_mapping", "got a number"),
        ({"g@global_id_mapping": b"\xff"}, "g@global_id_mapping", "is not UTF-8"),
    ],
)
def test_malformed_values_are_named(
    properties: dict[str, int | bytes], key: str, problem: str
) -> None:
    sets = {"SYCL/program metadata": properties}
    with pytest.raises(FormatError) as caught:
        _ = read_info(sets).kernel_sizes, read_info(sets).global_variables
    assert f"property '{key}' of set 'SYCL/program metadata'" in caught.value.message
    assert problem in caught.value.message


@pytest.mark.parametrize("size", [(2**32 - 1,), (2**32,), (1, 2**64 - 1, 2)])
def test_large_sizes(size: tuple[int, ...]) -> None:
    required = {"k": Requirements(work_group_size=size)}
    metadata = program_metadata(required, {})
    is_wide = max(size) >= 2**32
    assert ("k@reqd_work_group_size" in metadata) is not is_wide
    assert ("k@reqd_work_group_size_uint64_t" in metadata) is is_wide
    assert read_info({"SYCL/program metadata": metadata}).kernel_sizes == required


@pytest.mark.parametrize(
    "requirements",
    [
        Requirements((), 0),
        Requirements((), 2**32),
        Requirements((), None, (0,)),
        Requirements((), None, (2**64,)),
        Requirements((), None, (1, 1, 1, 1)),
    ],
)
def test_invalid_values_are_not_written(requirements: Requirements) -> None:
    with pytest.raises(FormatError, match=r"'k@reqd_.* of set 'SYCL/program metadata'"):
        program_metadata({"k": requirements}, {})


def test_variables_are_text() -> None:
    with pytest.raises(FormatError, match="'g@global_id_mapping'"):
        program_metadata({}, {"g": "\ud800"})


@given(KERNELS, st.dictionaries(NAMES, st.text("gé")))
def test_what_is_written_can_be_read(
    kernels: dict[str, Requirements], variables: dict[str, str]
) -> None:
    properties = program_metadata(kernels, variables)
    sets = parse_property_sets(format_property_sets({"SYCL/program metadata": properties}))
    assert read_info(sets).kernel_sizes == {name: sizes for name, sizes in kernels.items() if sizes}
    assert read_info(sets).global_variables == variables


def test_level_of_optimisation() -> None:
    text = format_property_sets({"SYCL/misc properties": properties_of(opt_level=2)})
    assert text == b"[SYCL/misc properties]\noptLevel=1|2\n"
    assert read_info(parse_property_sets(text)).opt_level == 2
    assert read_info({"SYCL/misc properties": properties_of(opt_level=0)}).opt_level == 0


def test_unknown_level() -> None:
    assert properties_of(opt_level=None) == {}
    assert read_info({}).opt_level is None
    assert read_info({"SYCL/misc properties": {"other": b"x"}}).opt_level is None


def test_intels_levels() -> None:
    program = read_program((DATA / "reference.syclbin").read_bytes())
    assert [module.info.opt_level for module in program.abstract_modules] == [2, 2]


def test_a_level_is_a_number() -> None:
    with pytest.raises(FormatError, match=r"'optLevel' of .*: expected a number, got"):
        _ = read_info({"SYCL/misc properties": {"optLevel": b"2"}}).opt_level
    for level in (-1, 2**32):
        with pytest.raises(FormatError, match=r"'optLevel' of set 'SYCL/misc properties'"):
            properties_of(opt_level=level)

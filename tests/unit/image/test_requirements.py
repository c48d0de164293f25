"""Device requirements in both property sets."""

import struct

import pytest
from hypothesis import given, strategies as st
from image_sets import sets_of

from dovetail.errors import FormatError
from dovetail.image import (
    PropertySets,
    Requirements,
    format_property_sets,
    parse_property_sets,
    read_info,
)
from dovetail.image.requirements import DEVICE_REQUIREMENTS, IMAGE_REQUIREMENTS
from dovetail.image.typed_set import SetWriter

IMAGE = "SYCL/image-requirements"
DEVICE = "SYCL/device requirements"

# What Intel's compiler wrote for kernels with these attributes.
INTEL = [
    (Requirements(), b"aspects=2|AAAAAAAAAAA\n"),
    (Requirements((5, 6)), b"aspects=2|ABAAAAAAAAQBAAAAGAAAAA\n"),
    (Requirements((6,)), b"aspects=2|gAAAAAAAAAgBAAAA\n"),
    (Requirements((), 16), b"reqd_sub_group_size=1|16\naspects=2|AAAAAAAAAAA\n"),
    (
        Requirements((), None, (8,)),
        b"work_group_num_dim=1|1\n"
        b"reqd_work_group_size_uint64_t=2|ADAAAAAAAAACAAAAAAAAAEAAAAAAAAAABAAAAAAAAAA\n"
        b"aspects=2|AAAAAAAAAAA\n",
    ),
    (
        Requirements((), None, (2, 3, 5)),
        b"work_group_num_dim=1|3\n"
        b"reqd_work_group_size_uint64_t=2|ADAAAAAAAAQBAAAAAAAAAMAAAAAAAAAACAAAAAAAAAA\n"
        b"aspects=2|AAAAAAAAAAA\n",
    ),
]

UINT32 = st.integers(1, 2**32 - 1)
REQUIREMENTS = st.builds(
    Requirements,
    st.lists(st.integers(0, 2**32 - 1), max_size=4).map(tuple),
    st.none() | UINT32,
    st.lists(UINT32, max_size=3).map(tuple),
)


@pytest.mark.parametrize(("requirements", "text"), INTEL)
def test_device_requirements_are_intels(requirements: Requirements, text: bytes) -> None:
    sets = parse_property_sets(b"[SYCL/device requirements]\n" + text)
    assert read_info(sets).requirements == requirements
    # The order of Intel's keys is that of a hash table; ours is fixed.
    assert sets_of(requirements=requirements)["SYCL/device requirements"] == sets[DEVICE]


def test_image_requirements_are_the_designs() -> None:
    text = format_property_sets(
        {
            IMAGE: sets_of(requirements=Requirements((6, 1, 6), 16, (2, 3, 5))).get(
                "SYCL/image-requirements", {}
            )
        }
    )
    assert text == (
        b"[SYCL/image-requirements]\n"
        b"aspect=2|ABAAAAAAAAQAAAAAGAAAAA\n"
        b"reqd_sub_group_size=2|gAAAAAAAAAAEAAAA\n"
        b"reqd_work_group_size=2|ACAAAAAAAAwAAAAACAAAAMAAAAQBAAAA\n"
    )
    one = sets_of(requirements=Requirements(work_group_size=(8,))).get(
        "SYCL/image-requirements", {}
    )
    assert one == {"reqd_work_group_size": struct.pack("<2I", 1, 8)}


def test_two_dimensions_are_reversed_and_padded() -> None:
    properties = sets_of(requirements=Requirements(work_group_size=(4, 7)))[
        "SYCL/device requirements"
    ]
    assert properties["reqd_work_group_size_uint64_t"] == struct.pack("<3Q", 7, 4, 1)
    assert properties["work_group_num_dim"] == 2
    assert read_info({DEVICE: properties}).requirements.work_group_size == (4, 7)


def test_nothing_required() -> None:
    assert not Requirements()
    assert sets_of(requirements=Requirements()) == {DEVICE: {"aspects": b""}}
    assert read_info({}).requirements == Requirements()
    assert read_info({"SYCL/kernel names": {"k": 1}}).requirements == Requirements()
    assert read_info({DEVICE: {"compile_target": b"intel_gpu_pvc"}}).requirements == Requirements()


def test_image_requirements_come_first() -> None:
    sets: PropertySets = {
        DEVICE: sets_of(requirements=Requirements((6,)))["SYCL/device requirements"]
    }
    assert read_info({**sets, IMAGE: {}}).requirements == Requirements()
    sets[IMAGE] = sets_of(requirements=Requirements((5,))).get("SYCL/image-requirements", {})
    assert read_info(sets).requirements == Requirements((5,))


def test_sizes_without_a_count_are_all_there_are() -> None:
    for sizes in ((5,), (5, 3), (5, 3, 2)):
        key = {"reqd_work_group_size_uint64_t": struct.pack(f"<{len(sizes)}Q", *sizes)}
        assert read_info({DEVICE: {**key}}).requirements.work_group_size == sizes[::-1]


@pytest.mark.parametrize(
    ("set_name", "properties", "key", "problem"),
    [
        (IMAGE, {"aspect": 6}, "aspect", "got a number"),
        (IMAGE, {"aspect": b"12345"}, "aspect", "5 bytes"),
        (IMAGE, {"reqd_sub_group_size": 16}, "reqd_sub_group_size", "got a number"),
        (IMAGE, {"reqd_sub_group_size": b""}, "reqd_sub_group_size", "one size, got 0"),
        (IMAGE, {"reqd_sub_group_size": b"1234abcd"}, "reqd_sub_group_size", "one size, got 2"),
        (IMAGE, {"reqd_sub_group_size": bytes(4)}, "reqd_sub_group_size", "size is 0"),
        (IMAGE, {"reqd_work_group_size": b""}, "reqd_work_group_size", "count from 1 to 3"),
        (IMAGE, {"reqd_work_group_size": bytes(4)}, "reqd_work_group_size", "count from 1 to 3"),
        (
            IMAGE,
            {"reqd_work_group_size": struct.pack("<3I", 1, 2, 3)},
            "reqd_work_group_size",
            "count from 1 to 3",
        ),
        (
            IMAGE,
            {"reqd_work_group_size": struct.pack("<5I", 4, 1, 1, 1, 1)},
            "reqd_work_group_size",
            "count from 1 to 3",
        ),
        (IMAGE, {"reqd_work_group_size": struct.pack("<2I", 1, 0)}, "reqd_work_group_size", "is 0"),
        (DEVICE, {"aspects": 6}, "aspects", "got a number"),
        (DEVICE, {"aspects": b"123"}, "aspects", "3 bytes"),
        (DEVICE, {"reqd_sub_group_size": b"1234"}, "reqd_sub_group_size", "got a byte array"),
        (DEVICE, {"reqd_sub_group_size": 0}, "reqd_sub_group_size", "size is 0"),
        (
            DEVICE,
            {"reqd_work_group_size_uint64_t": b""},
            "reqd_work_group_size_uint64_t",
            "three sizes, got 0",
        ),
        (
            DEVICE,
            {"reqd_work_group_size_uint64_t": struct.pack("<4Q", 1, 1, 1, 1)},
            "reqd_work_group_size_uint64_t",
            "three sizes, got 4",
        ),
        (
            DEVICE,
            {"reqd_work_group_size_uint64_t": bytes(24)},
            "reqd_work_group_size_uint64_t",
            "size is 0",
        ),
        (
            DEVICE,
            {
                "reqd_work_group_size_uint64_t": struct.pack("<3Q", 5, 3, 2),
                "work_group_num_dim": 2,
            },
            "reqd_work_group_size_uint64_t",
            "other than 1",
        ),
        (
            DEVICE,
            {
                "reqd_work_group_size_uint64_t": struct.pack("<3Q", 5, 3, 2),
                "work_group_num_dim": 4,
            },
            "work_group_num_dim",
            "expected 1 to 3 dimensions, got 4",
        ),
        (
            DEVICE,
            {
                "reqd_work_group_size_uint64_t": struct.pack("<Q", 5),
                "work_group_num_dim": b"",
            },
            "work_group_num_dim",
            "got a byte array",
        ),
    ],
)
def test_malformed_values_are_named(
    set_name: str, properties: dict[str, int | bytes], key: str, problem: str
) -> None:
    with pytest.raises(FormatError) as caught:
        _ = read_info({set_name: properties}).requirements
    assert f"property '{key}' of set '{set_name}'" in caught.value.message
    assert problem in caught.value.message


@pytest.mark.parametrize(
    "requirements",
    [
        Requirements((-1,)),
        Requirements((2**32,)),
        Requirements((), 0),
        Requirements((), -8),
        Requirements((), 2**32),
        Requirements((), None, (1, 1, 1, 1)),
        Requirements((), None, (8, 0)),
        Requirements((), None, (2**64,)),
    ],
)
def test_invalid_values_are_not_written(requirements: Requirements) -> None:
    for codec, name in ((IMAGE_REQUIREMENTS, IMAGE), (DEVICE_REQUIREMENTS, DEVICE)):
        with pytest.raises(FormatError, match=name):
            codec.encode(SetWriter(name), requirements)


@given(REQUIREMENTS)
def test_what_is_written_can_be_read(requirements: Requirements) -> None:
    sets = parse_property_sets(format_property_sets(sets_of(requirements=requirements)))
    assert read_info(sets).requirements == requirements
    assert read_info({DEVICE: sets[DEVICE]}).requirements == requirements
    assert (IMAGE in sets) == bool(requirements)


KEYS = st.sampled_from(
    [
        "aspect",
        "aspects",
        "reqd_sub_group_size",
        "reqd_work_group_size",
        "reqd_work_group_size_uint64_t",
        "work_group_num_dim",
    ]
)
WORDS = st.lists(st.integers(0, 4), max_size=7)
VALUES = (
    st.integers(0, 5) | st.binary(max_size=40) | WORDS.map(lambda w: struct.pack(f"<{len(w)}I", *w))
)


@given(st.sampled_from([IMAGE, DEVICE]), st.dictionaries(KEYS, VALUES))
def test_any_values_are_read_or_refused(set_name: str, properties: dict[str, int | bytes]) -> None:
    try:
        requirements = read_info({set_name: properties}).requirements
    except FormatError:
        return
    assert (
        read_info(
            {DEVICE: sets_of(requirements=requirements)["SYCL/device requirements"]}
        ).requirements
        == requirements
    )


@pytest.mark.parametrize("size", [(2**32 - 1, 1), (2**32,), (3, 2**64 - 1, 2**40)])
def test_large_work_groups(size: tuple[int, ...]) -> None:
    required = Requirements((6,), 8, size)
    both = sets_of(requirements=required)
    assert read_info(both).requirements == required
    assert read_info({DEVICE: both[DEVICE]}).requirements == required
    # No key for 32-bit sizes contains any part of it.
    key = "reqd_work_group_size"
    assert (key in both[IMAGE]) is (max(size) < 2**32)

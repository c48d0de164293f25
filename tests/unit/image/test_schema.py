"""The table of property sets: every field has a row, is written, and is read on demand."""

import subprocess
import sys
from dataclasses import FrozenInstanceError, fields, replace

import pytest

from dovetail.conditions import ARCHITECTURE, ASPECT, Condition
from dovetail.errors import FormatError
from dovetail.facts import Place
from dovetail.image import (
    ActionCall,
    AddOn,
    AspectUse,
    ConditionalFunctions,
    ConstantScalar,
    DeviceGlobal,
    ImageInfo,
    ManagedGlobal,
    Requirements,
    SpecializationConstant,
    decode_info,
    encode_info,
    format_property_sets,
    parse_property_sets,
    read_info,
    set_of,
)
from dovetail.image.schema import SCHEMA
from dovetail.kernel_info import KernelInfo

HAS_FP64, IS_PVC = Condition((ASPECT, 6)), Condition((ARCHITECTURE, 20))
FULL = ImageInfo(
    requirements=Requirements((5, 6), 16, (8, 4)),
    kernel_names=("k", "l"),
    kernels=(KernelInfo("k", "k", "k()", 1, ()),),
    kernel_sizes={"k": Requirements((), 16, (8, 4))},
    asserting_kernels=("k",),
    opt_level=0,
    grf_size=256,
    aspect_uses={"k": {"fp64": AspectUse("type 'double'", Place("a.cpp", 1, 2))}},
    exports=("f", "g"),
    inline=("g",),
    imports=("h",),
    device_globals=(DeviceGlobal("i", 4, True),),
    global_variables={"i": "v"},
    managed_globals=(ManagedGlobal("i", 4, 2, 8, False, 0, bytes(8)),),
    global_accessor="global_accessor",
    specialization_constants=(
        SpecializationConstant("s", 8, (ConstantScalar(0, 0, 4), ConstantScalar(1, 4, 2))),
        SpecializationConstant("t", 1, (ConstantScalar(2, 0, 1),)),
    ),
    specialization_defaults=bytes(range(9)),
    specialization_kinds={"s": "fi", "t": "i"},
    add_on=AddOn("1", True),
    add_ons={"2": HAS_FP64},
    kernel_reqs={"k": {Requirements((6,)): 100}},
    function_reqs={"f": {Requirements((), 16): 102}},
    asked={103: HAS_FP64, 104: IS_PVC},
    conditional_calls={"k": (ActionCall(HAS_FP64, "action"),)},
    conditional_imports={"action": ("h",)},
    conditional_aspects={HAS_FP64: (5,)},
    conditional_functions=ConditionalFunctions(
        ((0, 100), (0, 102), (167, 0, 1), (168, 2)), {"k": 0, "f": -2}, {"action": 3}
    ),
    family="nvptx64",
    resolved_targets=("intel_gpu_pvc",),
    compile_target="spir64_x86_64",
    fixed_targets=("x86_64",),
    filtered_targets={"x86_64": ("fp16", "fp64")},
    filtered_kernels={"x86_64": {"k": ("fp16", "fp64")}},
    failed_targets=("intel_gpu_skl",),
)
FIELDS = [field.name for field in fields(ImageInfo)]


def test_every_field_has_a_row_and_every_row_a_field() -> None:
    assert {row.field for row in SCHEMA} == set(FIELDS)
    keys = [(row.set_name, row.field) for row in SCHEMA]
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize("field", FIELDS)
def test_fields_round_trip(field: str) -> None:
    value, nothing = getattr(FULL, field), getattr(ImageInfo(), field)
    assert value != nothing, "so that something is tested"
    sets = parse_property_sets(format_property_sets(encode_info(ImageInfo(**{field: value}))))
    assert getattr(read_info(sets), field) == value
    assert getattr(decode_info(sets), field) == value
    assert getattr(read_info({}), field) == nothing
    assert set_of(field) in sets


def test_fields_are_independent() -> None:
    sets = parse_property_sets(format_property_sets(encode_info(FULL)))
    read = decode_info(sets)
    assert {name: getattr(read, name) for name in FIELDS} == {
        name: getattr(FULL, name) for name in FIELDS
    }
    assert encode_info(read) == sets
    assert encode_info(read_info(sets)) == sets


def test_sets_are_written_in_the_order_of_the_rows() -> None:
    rows = list(dict.fromkeys(row.set_name for row in SCHEMA))
    assert list(encode_info(replace(FULL, add_ons={}))) == [
        name for name in rows if name != "SYCL/add on images"
    ]
    # Calls into add-ons follow these.
    names = list(encode_info(FULL))
    assert names[names.index("SYCL/add on images") + 1] == "Dovetail/conditional calls"
    assert sorted(names) == sorted(rows)


def test_an_image_without_sets() -> None:
    assert encode_info(ImageInfo()) == {"SYCL/device requirements": {"aspects": b""}}
    assert not ImageInfo().has_conditions


def test_a_description_cannot_be_changed() -> None:
    for info in (ImageInfo(), read_info({})):
        with pytest.raises(FrozenInstanceError):
            info.global_accessor = "k"  # pyright: ignore[reportAttributeAccessIssue]


@pytest.mark.parametrize("name", [row.set_name for row in SCHEMA if row.is_eager])
def test_damage_in_eager_sets_shows_at_once(name: str) -> None:
    with pytest.raises(FormatError, match=name):
        read_info({name: {"k": b"x"}})


def test_damage_elsewhere_shows_on_access() -> None:
    info = read_info({"SYCL/imported symbols": {"k": b"x"}, "SYCL/exported symbols": {"f": 1}})
    assert info.exports == ("f",)
    for _ in range(2):
        with pytest.raises(FormatError, match="'k' of set 'SYCL/imported symbols'"):
            _ = info.imports
    with pytest.raises(FormatError):
        decode_info({"SYCL/imported symbols": {"k": b"x"}})


def test_a_field_is_decoded_once() -> None:
    info = read_info(encode_info(FULL))
    assert info.kernels is info.kernels


def test_codecs_of_missing_sets_are_not_loaded() -> None:
    code = (
        "import sys\n"
        "from dovetail.image import ImageInfo, encode_info, read_info\n"
        "info = read_info({'SYCL/device requirements': {'aspects': b''}, 'Dovetail/kernels': {}})\n"
        "assert not info.has_conditions and not info.add_ons and not info.aspect_uses\n"
        "print(info.requirements, *sys.modules)"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    ).stdout.split()
    names = ("aspect_uses", "conditional_calls", "kernel_reqs", "add_ons", "device_globals")
    assert not {f"dovetail.image.{name}" for name in names} & set(loaded)

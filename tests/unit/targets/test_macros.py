"""The macros that tell the headers' traits what the targets have."""

import pytest

from dovetail.targets import Target, default_table
from dovetail.targets.aspects import aspect_names, aspect_number, deprecated_aspects
from dovetail.targets.macros import (
    ALL_DEVICES_HAVE,
    DEVICE_IF_MACROS,
    NO_DEVICE_HAS,
    TARGET_ASPECTS,
    architecture_macros,
    device_architecture_macros,
    device_if_macros,
    trait_macros,
)

# By number, so that a change of the table shows: gpu 2, fp16 5, fp64 6, atomic64 27, and 7 and 8,
# the aspects that atomic64 replaced.
COMPLETE = Target("complete", ("gpu", "fp16"))
OPEN = Target("open", ("gpu", "atomic64"), True, absent_aspects=("fp64", "cpu"))
OTHER = Target("other", ("gpu", "fp64"), True, absent_aspects=("cpu",))
NOTHING = Target("nothing")


def numbers(listed: str) -> set[int]:
    return set(map(int, listed.split(",")))


def all_numbers() -> set[int]:
    return {aspect_number(name) for name in [*aspect_names(), *deprecated_aspects()]}


def test_target_that_may_support_others() -> None:
    assert trait_macros([OPEN]) == {ALL_DEVICES_HAVE: "2,7,8,27", NO_DEVICE_HAS: "1,6"}


def test_complete_target_lacks_all_others() -> None:
    macros = trait_macros([COMPLETE])
    assert macros[ALL_DEVICES_HAVE] == "2,5"
    assert numbers(macros[NO_DEVICE_HAS]) == all_numbers() - {2, 5}


def test_all_means_each_and_no_means_none() -> None:
    assert trait_macros([OPEN, OTHER]) == {ALL_DEVICES_HAVE: "2", NO_DEVICE_HAS: "1"}
    assert trait_macros([COMPLETE, OPEN]) == {ALL_DEVICES_HAVE: "2", NO_DEVICE_HAS: "1,6"}


def test_order_and_repetition_do_not_matter() -> None:
    assert trait_macros([OTHER, OPEN, OTHER]) == trait_macros([OPEN, OTHER])


def test_nothing_is_said_where_nothing_is_known() -> None:
    assert trait_macros([]) == {}
    assert trait_macros([default_table()["spir64"]]) == {}
    assert trait_macros([default_table()["spir64"], COMPLETE]) == {}


def test_target_without_any_aspect() -> None:
    macros = trait_macros([NOTHING])
    assert macros.keys() == {NO_DEVICE_HAS}
    assert numbers(macros[NO_DEVICE_HAS]) == all_numbers()


def test_no_known_target_both_has_and_lacks_something() -> None:
    for target in default_table():
        macros = trait_macros([target])
        if len(macros) == 2:
            has, lacks = map(numbers, macros.values())
            assert not has & lacks, target


PVC, SM90 = "__SYCL_TARGET_INTEL_GPU_PVC__", "__SYCL_TARGET_NVIDIA_GPU_SM90__"


@pytest.mark.parametrize(
    ("names", "host", "device"),
    [
        (["intel_gpu_pvc"], [PVC], [PVC]),
        (["spir64_x86_64"], ["__SYCL_TARGET_INTEL_X86_64__"], ["__SYCL_TARGET_INTEL_X86_64__"]),
        (["nvidia_gpu_sm_90", "intel_gpu_pvc"], [SM90, PVC], []),
        (["spir64"], [], []),
        (["spir64_gen"], [], []),
        (["intel_gpu_pvc", "spir64"], [PVC], []),
        ([], [], []),
    ],
)
def test_host_sees_every_architecture_and_device_code_its_own(
    names: list[str], host: list[str], device: list[str]
) -> None:
    targets = [default_table()[name] for name in names]
    assert architecture_macros(targets) == dict.fromkeys(host, "1")
    assert device_architecture_macros(targets) == dict.fromkeys(device, "1")


def test_users_own_target_is_no_architecture_of_the_headers() -> None:
    assert architecture_macros([COMPLETE]) == {}


def test_aspects_of_the_one_architecture() -> None:
    table = default_table()
    macros = device_if_macros([table["intel_gpu_acm_g10"]])
    assert macros[DEVICE_IF_MACROS] == "1"
    listed = numbers(macros[TARGET_ASPECTS])
    assert {2, 5, 27} <= listed
    assert not {1, 6} & listed
    assert device_if_macros([table["intel_gpu_pvc"]])[TARGET_ASPECTS].startswith("2,5,6,")


@pytest.mark.parametrize("names", [[], ["spir64"], ["intel_gpu_pvc", "intel_gpu_acm_g10"]])
def test_no_aspects_are_defined_for_several_devices(names: list[str]) -> None:
    assert device_if_macros([default_table()[n] for n in names]) == {DEVICE_IF_MACROS: "1"}

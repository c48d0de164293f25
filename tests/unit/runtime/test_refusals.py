"""The check of what kernels require: verdicts, and messages as a user reads them."""

import pytest
from image_sets import properties_of
from mock_programs import Image, device, program

from dovetail import DovetailError, KernelNotSupported
from dovetail.facts import Place
from dovetail.image import (
    AspectUse,
    CallOnPath,
    PropertySets,
    Requirements,
)
from dovetail.runtime import Device
from dovetail.targets import aspect_number

FP16, FP64, GPU = map(aspect_number, ("fp16", "fp64", "gpu"))


def refusal(image: Image, on: Device | None = None) -> KernelNotSupported:
    reason = program(image)["k"].fit(on or device())
    assert isinstance(reason, KernelNotSupported), reason
    return reason


def test_what_a_device_has_is_no_reason() -> None:
    needs = Requirements((FP64,), sub_group_size=16, work_group_size=(4, 4))
    assert program(Image(("k",), requires=needs))["k"].fit(device()) is None


def test_missing_aspects() -> None:
    error = refusal(Image(("k",), requires=Requirements((FP16, FP64, GPU))))
    assert error.message == (
        "kernel 'k' cannot run on 'a device': it needs aspects 'gpu', 'fp16', which the device"
        " does not have"
    )
    assert (error.kernel, error.device, error.refused_by) == ("k", "a device", "a device")
    assert error.aspects == ("gpu", "fp16")
    assert error.uses == {}


def test_missing_sub_group_size_tells_those_there_are() -> None:
    error = refusal(Image(("k",), requires=Requirements(sub_group_size=32)))
    assert str(error) == (
        "kernel 'k' cannot run on 'a device': it needs sub-groups of 32, which the device does not"
        " have\nsupported sub-group sizes: 8, 16"
    )
    assert error.sub_group_size == 32


@pytest.mark.parametrize("size", [(128,), (8, 16), (32, 1, 1), (65,)])
def test_work_group_that_is_too_large(size: tuple[int, ...]) -> None:
    error = refusal(Image(("k",), requires=Requirements(work_group_size=size)))
    assert error.work_group_size == size
    assert error.hint == (
        "the device supports work-groups of up to 64 work-items, and up to 16x32x64 by dimension"
    )


def test_work_group_that_fits_to_the_last_item() -> None:
    needs = Requirements(work_group_size=(4, 16))
    assert program(Image(("k",), requires=needs))["k"].fit(device()) is None


def test_message_tells_where_and_through_which_calls() -> None:
    use = AspectUse(
        "object of type 'half'",
        Place("a.cpp", 3, 7),
        (
            CallOnPath("k", "f", Place("a.cpp", 12, 3)),
            CallOnPath("f", "g", Place("a.cpp", 8, 5)),
        ),
    )
    uses: PropertySets = {
        "Dovetail/aspect uses": {**properties_of(aspect_uses={"k": {"fp16": use}})}
    }
    error = refusal(Image(("k",), requires=Requirements((FP16,)), more=uses))
    assert error.message.splitlines()[1:] == [
        "  a.cpp:3:7: aspect 'fp16' is needed here: object of type 'half'",
        "  a.cpp:8:5: 'g' is called here by 'f'",
        "  a.cpp:12:3: 'f' is called here by 'k'",
    ]
    assert error.uses == {"fp16": use}


def test_aspect_that_nobody_knows() -> None:
    assert refusal(Image(("k",), requires=Requirements((9999,)))).aspects == ("9999",)


def test_what_a_linked_image_requires_counts() -> None:
    root = Image(("k",), imports=("_Z1ff",))
    other = Image(exports=("_Z1ff",), requires=Requirements((FP16,)))
    error = program(root, other)["k"].fit(device())
    assert isinstance(error, KernelNotSupported)
    assert error.message == (
        "kernel 'k' cannot run on 'a device': 'f(float)', which it calls, needs aspect 'fp16',"
        " which the device does not have"
    )


def test_target_refuses_what_the_device_has() -> None:
    image = Image(("k",), requires=Requirements((FP64,)))
    error = refusal(image, device().as_target("intel_gpu_acm_g10"))
    assert error.refused_by == "intel_gpu_acm_g10"
    assert error.message == (
        "kernel 'k' cannot run on 'a device': it needs aspect 'fp64', which the"
        " emulated target 'intel_gpu_acm_g10' does not have"
    )


def test_device_refuses_what_the_target_has() -> None:
    image = Image(("k",), requires=Requirements((FP64,)))
    error = refusal(image, device(aspects=frozenset({"cpu"})).as_target("intel_gpu_pvc"))
    assert error.refused_by == "a device"
    assert "which the device itself (emulating 'intel_gpu_pvc') does not have" in str(error)


def test_standing_for_a_gpu_is_being_one() -> None:
    image = Image(("k",), requires=Requirements((GPU,)))
    assert program(image)["k"].fit(device().as_target("intel_gpu_pvc")) is None


def test_fit_of_a_program() -> None:
    loaded = program(
        Image(("k",)),
        Image(("l",), requires=Requirements((FP16,))),
        Image(("m",), imports=("nowhere",)),
    )
    fits = loaded.fit(device())
    assert {name: type(reason) for name, reason in fits.items()} == {
        "k()": type(None),
        "l()": KernelNotSupported,
        "m()": type(loaded["m"].fit(device())),
    }
    assert isinstance(fits["m()"], DovetailError)

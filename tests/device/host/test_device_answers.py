"""What C++ learns of devices is what Python's `Device` says, whatever they stand for."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from designs import split_alone

from dovetail.runtime import Device, devices
from dovetail.targets import default_table

pytestmark = [pytest.mark.device, split_alone]

HEADER = Path(__file__).parents[3] / "include/sycl/aspects.hpp"
ASPECTS = sorted(map(int, set(re.findall(r" = (\d+),", HEADER.read_text()))))
"""All numbers, those of deprecated ones too."""
TYPES = ("cpu", "gpu", "accelerator")
"""In the order of `info::device_type`."""


def read(printed: str) -> tuple[list[dict[str, str]], dict[str, str]]:
    """What each device answers, and whom each selector chooses."""
    told, _, chosen = printed.partition("selectors\n")
    answers: list[dict[str, str]] = []
    for line in told.splitlines():
        word, _, answer = line.partition(" ")
        if word == "name":
            answers.append({})
        answers[-1][word] = answer
    selected: dict[str, str] = {}
    for line in chosen.splitlines():
        selector, _, device = line.partition("\t")
        selected[selector] = device
    return answers, selected


def architecture(device: Device) -> int:
    """The number of what it is, or stands for."""
    number = default_table().architecture(device.target) if device.target else None
    return -1 if number is None else number


def expected(device: Device) -> dict[str, str]:
    """The answers that the device has to give."""
    description, limits = device.description, device.limits
    numbers = [number for number in ASPECTS if device.has(number)]
    assert len(numbers) == len(device.aspects)
    lists = {
        "sub_group_sizes": device.sub_group_sizes,
        "max_work_item_sizes": limits.max_work_item_sizes,
        "aspects": numbers,
        "has": numbers,
        "is": [int(device.kind == kind) for kind in TYPES],
        "extensions": sorted(device.extensions),
    }
    plain = {
        "name": device.name,
        "vendor": description.vendor,
        "driver_version": device.driver_version,
        "version": description.version,
        "device_type": TYPES.index(device.kind),
        "vendor_id": description.vendor_id,
        "max_compute_units": description.compute_units,
        "max_clock_frequency": description.clock_mhz,
        "address_bits": description.address_bits,
        "max_work_group_size": limits.max_work_group_size,
        "max_num_sub_groups": description.max_sub_groups,
        "local_mem_size": limits.local_memory,
        "global_mem_size": limits.global_memory,
        "max_mem_alloc_size": limits.max_allocation,
        "backend": {"opencl": 1}[device.backend],
        "architecture": architecture(device),
        "architecture_is": architecture(device),
    }
    texts = {name: " ".join(map(str, values)) for name, values in lists.items()}
    return {name: str(value) for name, value in plain.items()} | texts


def first(found: list[Device], suits: Callable[[Device], bool]) -> str:
    """What a selector has to come to."""
    names = ", ".join(f"'{device.name}'" for device in found)
    nobody = f"throws 1 no device suits the selector; there are: {names}"
    return next((device.name for device in found if suits(device)), nobody)


def choices(found: list[Device]) -> dict[str, str]:
    """Whom the program's selectors have to choose."""
    return {
        "default": first(found, lambda _: True),
        "cpu": first(found, lambda d: d.has("cpu")),
        "gpu": first(found, lambda d: d.has("gpu")),
        "accelerator": first(found, lambda d: d.has("accelerator")),
        "fp64": first(found, lambda d: d.has("fp64")),
        "fp16 and not fp64": first(found, lambda d: d.has("fp16") and not d.has("fp64")),
        "atomic64 and emulated": first(found, lambda d: d.has("atomic64") and d.has("emulated")),
        "anyone": first(found, lambda _: True),
        "nobody": first(found, lambda _: False),
    }


def test_devices_as_they_are(application: Callable[..., str]) -> None:
    answers, selected = read(application("device_answers"))
    assert answers == [expected(device) for device in devices()]
    assert selected == choices(devices())


ARCHITECTURES = {"intel_gpu_acm_g10": "17", "intel_gpu_pvc": "20", "nvidia_gpu_sm_90": "34"}


@pytest.mark.parametrize("target", ARCHITECTURES)
def test_devices_that_stand_for_another(target: str, application: Callable[..., str]) -> None:
    found = [device.as_target(target) for device in devices()]
    answers, selected = read(application("device_answers", DOVETAIL_AS=target))
    assert answers == [expected(device) for device in found]
    assert selected == choices(found)
    assert selected["gpu"] == found[0].name
    assert selected["cpu"].startswith("throws 1 ")
    assert answers[0]["architecture"] == ARCHITECTURES[target]
    assert (selected["fp64"] == found[0].name) == (target != "intel_gpu_acm_g10")


def test_only_the_devices_that_are_asked_for(application: Callable[..., str]) -> None:
    found = devices()
    last = found[-1]
    number = sum(device.kind is last.kind for device in found) - 1
    wanted = f"{last.backend}:{last.kind}:{number}"
    answers, selected = read(application("device_answers", DOVETAIL_DEVICE=wanted))
    assert answers == [expected(last)]
    assert selected == choices([last])

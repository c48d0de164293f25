"""ONEAPI_DEVICE_SELECTOR, in DPC++'s form."""

from types import SimpleNamespace
from typing import cast

import pytest

from dovetail.errors import UsageError
from dovetail.runtime.backend import BackendDevice, DeviceDescription, DeviceKind, Limits
from dovetail.runtime.oneapi_selector import select

_LIMITS = Limits(1, (1, 1, 1), 1, 1, 1)


def _device(name: str, backend: str, kind: DeviceKind) -> BackendDevice:
    description = DeviceDescription(backend, "none", name, kind, "1", _LIMITS, (), (), frozenset())
    return cast(BackendDevice, SimpleNamespace(description=description))


FOUND = [
    _device("arc", "opencl", DeviceKind.GPU),
    _device("h200", "cuda", DeviceKind.GPU),
    _device("a100", "cuda", DeviceKind.GPU),
    _device("xeon", "opencl", DeviceKind.CPU),
    _device("stratix", "opencl", DeviceKind.ACCELERATOR),
]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("*:*", "arc h200 a100 xeon stratix"),
        ("opencl:*", "arc xeon stratix"),
        ("OpenCL:CPU", "xeon"),
        ("opencl:gpu,fpga", "arc stratix"),
        ("cuda:1", "a100"),
        ("*:0", "arc h200"),
        ("opencl:1;cuda:0", "h200 xeon"),
        ("!*:gpu", "xeon stratix"),
        ("*:gpu;!cuda:0", "arc a100"),
        ("level_zero:gpu", ""),
        ("opencl:7", ""),
    ],
)
def test_filters(text: str, expected: str) -> None:
    assert " ".join(device.description.name for device in select(text, FOUND)) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("gpu", "expected BACKEND:DEVICES, got 'gpu'"),
        ("opencl:", "expected BACKEND:DEVICES, got 'opencl:'"),
        ("opencl:cpu;", "expected BACKEND:DEVICES, got ''"),
        ("vulkan:gpu", "unknown back-end 'vulkan'"),
        ("opencl:tpu", "unknown device 'tpu'"),
        ("opencl:-1", "unknown device '-1'"),
        ("opencl:0.1", "'0.1' names sub-devices, which Dovetail does not support"),
        ("*:*.*", "'*.*' names sub-devices, which Dovetail does not support"),
    ],
)
def test_malformed_filters(text: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        select(text, FOUND)
    assert caught.value.message == f"ONEAPI_DEVICE_SELECTOR: {message}"

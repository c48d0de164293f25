"""Selecting devices by the value of ONEAPI_DEVICE_SELECTOR, in DPC++'s form.

opencl:cpu,gpu      the CPUs and GPUs of a back-end
cuda:0              its first device
*:gpu;opencl:cpu    what any of the filters accepts
opencl:*;!*:fpga    but not what a filter with `!` discards
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from dovetail.errors import UsageError
from dovetail.runtime.backend import BackendDevice, DeviceKind
from dovetail.settings import ONEAPI_DEVICE_SELECTOR

_ANY = "*"
_BACKENDS = (_ANY, "level_zero", "opencl", "cuda", "hip", "native_cpu", "offload")
_KINDS = {
    "cpu": DeviceKind.CPU,
    "gpu": DeviceKind.GPU,
    "fpga": DeviceKind.ACCELERATOR,
}
_NUMBER = re.compile(r"\d{1,4}", re.ASCII)
_SUB_DEVICE = re.compile(r"(\d+|\*)(\.(\d+|\*)){1,2}", re.ASCII)


class Filter(NamedTuple):
    """Devices of a back-end."""

    backend: str
    devices: tuple[str, ...]
    """Each is a kind, a number, or `*`."""
    discards: bool

    def matches(self, device: BackendDevice, number: int) -> bool:
        """Return whether this names the device, which has the number in its back-end."""
        description = device.description
        if self.backend not in (_ANY, description.backend):
            return False
        return any(
            each == _ANY or each == str(number) or _KINDS.get(each) is description.kind
            for each in self.devices
        )


def select(text: str, found: Sequence[BackendDevice]) -> list[BackendDevice]:
    """Return the devices that the filters accept; `UsageError` if they are malformed."""
    filters = parse_filters(text)
    accepting = [each for each in filters if not each.discards]
    discarding = [each for each in filters if each.discards]
    numbers: dict[str, int] = {}
    chosen: list[BackendDevice] = []
    for device in found:
        number = numbers.get(device.description.backend, 0)
        numbers[device.description.backend] = number + 1
        is_accepted = not accepting or any(each.matches(device, number) for each in accepting)
        if is_accepted and not any(each.matches(device, number) for each in discarding):
            chosen.append(device)
    return chosen


def parse_filters(text: str) -> list[Filter]:
    """Return the filters in a value; `UsageError` if it is malformed."""
    return [_parse_filter(part) for part in text.lower().split(";")]


def _parse_filter(text: str) -> Filter:
    backend, colon, devices = text.removeprefix("!").partition(":")
    if not colon or not devices:
        raise _malformed(f"expected BACKEND:DEVICES, got '{text}'")
    if backend not in _BACKENDS:
        raise _malformed(f"unknown back-end '{backend}'", f"back-ends: {', '.join(_BACKENDS)}")
    named = tuple(devices.split(","))
    for each in named:
        if _SUB_DEVICE.fullmatch(each):
            raise _malformed(f"'{each}' names sub-devices, which Dovetail does not support")
        if each != _ANY and each not in _KINDS and not _NUMBER.fullmatch(each):
            raise _malformed(
                f"unknown device '{each}'", f"devices: {', '.join(_KINDS)}, 0, 1, …, *"
            )
    return Filter(backend, named, text.startswith("!"))


def _malformed(
    problem: str, hint: str = "such as 'opencl:cpu', '*:gpu' or 'cuda:0,1'"
) -> UsageError:
    return UsageError(f"{ONEAPI_DEVICE_SELECTOR.variable}: {problem}", hint=hint)

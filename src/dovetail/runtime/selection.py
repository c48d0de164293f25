"""Which of the devices at hand are used: what DOVETAIL_DEVICE says.

opencl             every device of that back-end
opencl:cpu         those of that kind; a star stands for any
opencl:gpu:1       the second of these
Arc                those that have this in their names, capitals or not
"""

from collections.abc import Sequence

from dovetail.errors import DeviceError
from dovetail.runtime.backend import BackendDevice, DeviceDescription

_ANY = "*"
_DIGITS = 4
"""Of the number of a device; no machine has more."""


def select(wanted: str, found: Sequence[BackendDevice]) -> list[BackendDevice]:
    """The devices that are meant; `DeviceError` if there are none."""
    chosen = _by_position(wanted, found)
    if chosen is None:
        chosen = [d for d in found if wanted.casefold() in d.description.name.casefold()]
    if not chosen:
        there = ", ".join(f"{_label(d.description)} '{d.description.name}'" for d in found)
        raise DeviceError(
            f"no device matches DOVETAIL_DEVICE={wanted}",
            hint=f"devices: {there}" if there else "no device was found at all",
        )
    return chosen


def _by_position(wanted: str, found: Sequence[BackendDevice]) -> list[BackendDevice] | None:
    """The devices that `back-end:kind:number` means; None if it is not of that form."""
    backend, _, rest = wanted.partition(":")
    kind, _, number = rest.partition(":")
    is_number = number.isascii() and number.isdecimal() and len(number) <= _DIGITS
    if backend not in {d.description.backend for d in found} or (number and not is_number):
        return None
    chosen = [
        device
        for device in found
        if device.description.backend == backend
        and kind.casefold() in ("", _ANY, device.description.kind.value)
    ]
    return chosen[int(number) : int(number) + 1] if number else chosen


def _label(device: DeviceDescription) -> str:
    return f"{device.backend}:{device.kind}"

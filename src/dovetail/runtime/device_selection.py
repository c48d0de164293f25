"""Selecting devices by the value of DOVETAIL_DEVICE, or else of ONEAPI_DEVICE_SELECTOR.

The forms of DOVETAIL_DEVICE, `oneapi_selector.py` has those of the other:

opencl, cuda       every device of that back-end
opencl:cpu         those of that kind; `*` means any
opencl:gpu:1       the second of these
Arc                those with this text in their names, in any case
"""

from collections.abc import Callable, Sequence

from dovetail.errors import DeviceError
from dovetail.runtime import oneapi_selector
from dovetail.runtime.backend import BackendDevice, DeviceDescription
from dovetail.settings import ONEAPI_DEVICE_SELECTOR, Setting

_ANY = "*"
_DIGITS = 4
"""The maximum number of digits in a device number."""


def select(
    setting: Setting, found: Sequence[BackendDevice], why_none: Callable[[str], str] = lambda _: ""
) -> list[BackendDevice]:
    """Return the devices that match the value, or raise `DeviceError` if none does.

    `why_none` returns why a back-end has no device; empty for other words.
    """
    wanted = setting.value()
    chosen = (
        oneapi_selector.select(wanted, found)
        if setting is ONEAPI_DEVICE_SELECTOR
        else _select(wanted, found)
    )
    if not chosen:
        listed = ", ".join(f"{_label(d.description)} '{d.description.name}'" for d in found)
        backend = wanted.partition(":")[0]
        has_others = any(device.description.backend == backend for device in found)
        reason = "" if has_others else why_none(backend)
        raise DeviceError(
            f"no device matches {setting.variable}={wanted}{reason and f': {reason}'}",
            hint=f"devices: {listed}" if listed else "no device was found",
        )
    return chosen


def _select(wanted: str, found: Sequence[BackendDevice]) -> list[BackendDevice]:
    chosen = _by_position(wanted, found)
    if chosen is None:
        chosen = [d for d in found if wanted.casefold() in d.description.name.casefold()]
    return chosen


def _by_position(wanted: str, found: Sequence[BackendDevice]) -> list[BackendDevice] | None:
    """Return the devices for `back-end:kind:number`; None if the text has another form."""
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

"""A device that stands for a target which is not at hand."""

from dataclasses import replace

from dovetail.runtime.backend import DeviceDescription, DeviceKind
from dovetail.targets import Target, aspect_name


def reported_as(target: Target, device: DeviceDescription) -> DeviceDescription:
    """What `device` reports if it stands for `target`.

    What nobody knows of the target is as it is on the device.
    """
    aspects = {*map(aspect_name, target.capabilities.aspects)}
    aspects |= {name for name in device.aspects if target.verdict(name) == "may"}
    return replace(
        device,
        aspects=frozenset(aspects),
        sub_group_sizes=target.sub_group_sizes or device.sub_group_sizes,
        kind=_kind(target, device.kind),
        target=target.name,
    )


def _kind(target: Target, otherwise: DeviceKind) -> DeviceKind:
    return next((kind for kind in DeviceKind if target.has(kind.value)), otherwise)

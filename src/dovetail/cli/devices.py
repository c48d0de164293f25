"""`dovetail devices`: list the devices."""

import json
from collections.abc import Callable, Iterator, Sequence

from dovetail.cli.arguments import Parser, add_configuration, read_configuration
from dovetail.cli.output import print_table
from dovetail.runtime import Device, default_device, devices
from dovetail.targets import aspect_number

_DESCRIPTION = """\
List all devices, the default device first: NVIDIA's GPUs, and OpenCL devices
that accept SPIR-V. DOVETAIL_DEVICE selects some of them. With --as or
DOVETAIL_AS, devices emulate a target.

examples:
  dovetail devices
  dovetail devices --as intel_gpu_acm_g10
  DOVETAIL_DEVICE=opencl:cpu dovetail devices --json
"""

_NONE = "-"


def run(args: Sequence[str]) -> int:
    """See `dovetail devices --help`."""
    parser = Parser("devices", _DESCRIPTION)
    parser.add_argument(
        "--as",
        dest="emulated_target",
        metavar="TARGET",
        help="emulate a target: report its aspects and sub-group sizes",
    )
    add_configuration(parser)
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    options = parser.parse_args(args)
    table = read_configuration(options.configuration)
    target = None if options.emulated_target is None else table[options.emulated_target]
    found = [device if target is None else device.as_target(target) for device in devices()]
    if options.json:
        print(json.dumps({"devices": [_description(device) for device in found]}, indent=2))
    default_device()  # raises an error with the package to install if there is none
    if not options.json:
        print_table(["device", *(device.name for device in found)], list(_rows(found)))
    return 0


def _description(device: Device) -> dict[str, object]:
    limits = device.limits
    return {
        "name": device.name,
        "backend": device.backend,
        "kind": device.kind,
        "platform": device.platform,
        "driver": device.driver_version,
        "target": device.target,
        "stands_for": device.stands_for or None,
        "aspects": sorted(device.aspects, key=aspect_number),
        "sub_group_sizes": list(device.sub_group_sizes),
        "spirv_versions": list(device.spirv_versions),
        "limits": {
            "max_work_group_size": limits.max_work_group_size,
            "max_work_item_sizes": list(limits.max_work_item_sizes),
            "local_memory": limits.local_memory,
            "global_memory": limits.global_memory,
            "max_allocation": limits.max_allocation,
        },
    }


def _rows(found: Sequence[Device]) -> Iterator[list[str]]:
    """Yield a row for each property, with a column for each device."""
    for title, show in _PROPERTIES.items():
        yield [title, *map(show, found)]
    names = {name for device in found for name in device.aspects}
    for number, name in enumerate(sorted(names, key=aspect_number)):
        title = "" if number else "aspects"
        yield [title, *(name if name in device.aspects else _NONE for device in found)]


_PROPERTIES: dict[str, Callable[[Device], str]] = {
    "back-end": lambda device: f"{device.backend}:{device.kind}",
    "driver": lambda device: f"{device.platform} {device.driver_version}",
    "target": lambda device: device.target or "unknown",
    "emulates": lambda device: device.stands_for or _NONE,
    "sub-groups": lambda device: ", ".join(map(str, device.sub_group_sizes)) or "unknown",
    "work-group": lambda device: f"up to {device.limits.max_work_group_size}",
    "in each dimension": lambda device: " x ".join(map(str, device.limits.max_work_item_sizes)),
    "local memory": lambda device: _size(device.limits.local_memory),
    "memory": lambda device: _size(device.limits.global_memory),
    "one allocation": lambda device: f"up to {_size(device.limits.max_allocation)}",
}


def _size(count: int) -> str:
    return f"{count / 2**30:.1f} GiB" if count >= 2**30 else f"{count / 2**10:.0f} KiB"

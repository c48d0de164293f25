"""`dovetail devices`: show the devices that can run programs."""

import json
from collections.abc import Sequence
from typing import Any

from dovetail.cli.arguments import Parser
from dovetail.cli.tables import print_table
from dovetail.runtime import Device, default_device, devices
from dovetail.targets import aspect_number


def run(words: Sequence[str]) -> int:
    """See `dovetail devices --help`."""
    parser = Parser(
        "devices",
        "Show every device that takes SPIR-V, the default first.\n\n"
        "example:\n  dovetail devices --json",
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    options = parser.parse_args(words)
    if options.json:
        print(json.dumps({"devices": [_description(device) for device in devices()]}, indent=2))
    default_device()  # says what to install if there is none
    if options.json:
        return 0
    print_table(
        ["device", "back-end", "driver", "work-group", "sub-groups", "local memory", "memory"],
        [_row(device) for device in devices()],
    )
    return 0


def _description(device: Device) -> dict[str, Any]:
    limits = device.limits
    return {
        "name": device.name,
        "backend": device.backend,
        "kind": device.kind,
        "platform": device.platform,
        "driver": device.driver_version,
        "target": device.target,
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


def _row(device: Device) -> list[str]:
    limits = device.limits
    return [
        device.name,
        f"{device.backend}:{device.kind}",
        f"{device.platform} {device.driver_version}",
        str(limits.max_work_group_size),
        ", ".join(map(str, device.sub_group_sizes)) or "unknown",
        f"{limits.local_memory / 1024:.0f} KiB",
        f"{limits.global_memory / 2**30:.1f} GiB",
    ]

"""Answers to host code's device queries, as bytes."""

import struct
from collections.abc import Callable, Iterable

from dovetail.runtime.backend import Detail, DeviceDescription, DeviceKind
from dovetail.runtime.host.errc import Errc, HostError
from dovetail.runtime.host.structures import DeviceQuery as Query
from dovetail.targets import architecture_number, aspect_number

_KINDS = {DeviceKind.CPU: 1, DeviceKind.GPU: 2, DeviceKind.ACCELERATOR: 3}
# The numbers of `sycl::backend`.
_BACKENDS = {"opencl": 1, "cuda": 3}
_UNKNOWN_ARCHITECTURE = -1

_ANSWERS: dict[Query, Callable[[DeviceDescription], bytes]] = {
    Query.NAME: lambda device: device.name.encode(),
    Query.VENDOR: lambda device: device.vendor.encode(),
    Query.DRIVER_VERSION: lambda device: device.driver_version.encode(),
    Query.VERSION: lambda device: device.version.encode(),
    Query.PLATFORM_NAME: lambda device: device.platform.encode(),
    Query.PLATFORM_VENDOR: lambda device: device.platform_vendor.encode(),
    Query.PLATFORM_VERSION: lambda device: device.platform_version.encode(),
    Query.DEVICE_TYPE: lambda device: _uint32s([_KINDS[device.kind]]),
    Query.ASPECTS: lambda device: _uint32s(sorted(map(aspect_number, device.aspects))),
    Query.MAX_COMPUTE_UNITS: lambda device: _uint32s([device.compute_units]),
    Query.MAX_WORK_GROUP_SIZE: lambda device: _uint64s([device.limits.max_work_group_size]),
    Query.MAX_WORK_ITEM_SIZES: lambda device: _uint64s(device.limits.max_work_item_sizes),
    Query.LOCAL_MEM_SIZE: lambda device: _uint64s([device.limits.local_memory]),
    Query.GLOBAL_MEM_SIZE: lambda device: _uint64s([device.limits.global_memory]),
    Query.MAX_MEM_ALLOC_SIZE: lambda device: _uint64s([device.limits.max_allocation]),
    Query.SUB_GROUP_SIZES: lambda device: _uint64s(device.sub_group_sizes),
    Query.EXTENSIONS: lambda device: " ".join(sorted(device.extensions)).encode(),
    Query.MAX_CLOCK_FREQUENCY: lambda device: _uint32s([device.clock_mhz]),
    Query.VENDOR_ID: lambda device: _uint32s([device.vendor_id]),
    Query.ADDRESS_BITS: lambda device: _uint32s([device.address_bits]),
    Query.MAX_NUM_SUB_GROUPS: lambda device: _uint32s([device.max_sub_groups]),
    Query.BACKEND: lambda device: _uint32s([_BACKENDS[device.backend]]),
    Query.ARCHITECTURE: lambda device: struct.pack("=i", _architecture(device)),
}


def answer(device: DeviceDescription, query: int, detail: Callable[[str], Detail | None]) -> bytes:
    """Return the result of `device_info` for the number of a query.

    `detail` returns what the driver reports for queries that the description does not answer.
    """
    try:
        asked = Query(query)
    except ValueError:
        raise HostError(Errc.INVALID, f"unknown device query {query}") from None
    if asked in _ANSWERS:
        return _ANSWERS[asked](device)
    return _bytes(detail(asked.name.lower()))


def _bytes(detail: Detail | None) -> bytes:
    match detail:
        case None:
            return b""
        case int():
            return _uint64s([detail])
        case str():
            return detail.encode()
        case bytes():
            return detail


def _architecture(device: DeviceDescription) -> int:
    number = architecture_number(device.target)
    return _UNKNOWN_ARCHITECTURE if number is None else number


def _uint32s(values: Iterable[int]) -> bytes:
    return b"".join(struct.pack("=I", value) for value in values)


def _uint64s(values: Iterable[int]) -> bytes:
    return b"".join(struct.pack("=Q", value) for value in values)

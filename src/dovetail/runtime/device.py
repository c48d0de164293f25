"""Finding devices, and what is known of each.

Back-ends are loaded by name when devices are first asked for; the list is made once a process.
"""

from dataclasses import replace
from functools import cache
from importlib import import_module
from threading import Lock
from typing import TYPE_CHECKING

from dovetail import conditions
from dovetail.errors import DeviceError, UsageError
from dovetail.runtime.backend import (
    BackendAllocation,
    BackendDevice,
    DeviceDescription,
    DeviceKind,
    DeviceOutOfMemory,
    FindDevices,
    Limits,
    MemoryKind,
)
from dovetail.runtime.event import DeviceWork
from dovetail.runtime.selection import select
from dovetail.settings import DEVICE, STANDS_FOR
from dovetail.targets import Target, aspect_name, default_table

if TYPE_CHECKING:
    from dovetail.conditions import Condition

BACKENDS = {"opencl": "dovetail.runtime.opencl"}
"""Each module has a function `find_devices`."""

# GPUs first, as SYCL's default selector does; within a kind, the drivers' own order.
_ORDER = (DeviceKind.GPU, DeviceKind.ACCELERATOR, DeviceKind.CPU)


class Device:
    """A device that kernels can run on."""

    __slots__ = ("__weakref__", "_emulated", "_native", "description", "stands_for", "work")

    def __init__(
        self,
        native: BackendDevice,
        stands_for: Target | None = None,
        work: DeviceWork | None = None,
    ) -> None:
        self._native = native
        self._emulated: dict[tuple[int, str], Device] = {}
        self.description: DeviceDescription = native.description
        self.stands_for = ""
        """The target whose features it reports in place of its own; empty if it is itself."""
        if stands_for is not None:
            self.description = reported_as(stands_for, native.description)
            self.stands_for = stands_for.name
        self.work = work or DeviceWork()

    def as_target(self, target: Target | str) -> "Device":
        """This device, reporting the architecture, aspects and sub-group sizes of a target.

        It still runs everything itself, so what it cannot do stays impossible.
        """
        wanted = default_table()[target] if isinstance(target, str) else target
        key = (id(wanted), wanted.name)
        if key not in self._emulated:
            # Memory is given back when all work on the device is done, whoever started it.
            self._emulated[key] = Device(self._native, wanted, self.work)
        return self._emulated[key]

    @property
    def native(self) -> BackendDevice:
        """The back-end's side of it."""
        return self._native

    def allocate(self, kind: MemoryKind, size: int, alignment: int = 0) -> BackendAllocation:
        """New memory; the alignment is a power of two, or 0 for what suits the device best.

        If there is none left, it waits for the work under way, which may hold what nobody else
        does, before it gives up with `OutOfMemory`.
        """
        try:
            return self._native.allocate(kind, size, alignment)
        except DeviceOutOfMemory:
            self.work.settle(device_work_only=True)
        return self._native.allocate(kind, size, alignment)

    @property
    def name(self) -> str:
        return self.description.name

    @property
    def backend(self) -> str:
        return self.description.backend

    @property
    def platform(self) -> str:
        """The driver's name."""
        return self.description.platform

    @property
    def driver_version(self) -> str:
        return self.description.driver_version

    @property
    def kind(self) -> DeviceKind:
        return self.description.kind

    @property
    def limits(self) -> Limits:
        return self.description.limits

    @property
    def sub_group_sizes(self) -> tuple[int, ...]:
        return self.description.sub_group_sizes

    @property
    def spirv_versions(self) -> tuple[str, ...]:
        return self.description.spirv_versions

    @property
    def extensions(self) -> frozenset[str]:
        return self.description.extensions

    @property
    def target(self) -> str:
        """The target that code is compiled for to run there; empty if it is not a known one."""
        return self.description.target

    @property
    def architecture(self) -> int | None:
        """The number of its target in `enum class architecture`; None if it has none there."""
        table = default_table()
        return table.architecture(self.target) if self.target in table else None

    @property
    def aspects(self) -> frozenset[str]:
        """The optional features that it has, by SYCL's names."""
        return self.description.aspects

    def has(self, aspect: str | int) -> bool:
        """Whether it has an aspect, by SYCL's name or number."""
        return aspect_name(aspect) in self.description.aspects

    def satisfies(self, condition: "Condition") -> bool:
        """Whether a condition holds for what it reports itself to be."""
        # An aspect of a newer SYCL, which has no name here, is on no device of today's.
        has = self.description.capabilities.aspects.__contains__
        return conditions.holds(condition, has, self.architecture)

    def __repr__(self) -> str:
        as_target = f" as {self.stands_for}" if self.stands_for else ""
        return (
            f"<Device '{self.name}' {self.backend}:{self.kind} driver {self.driver_version}"
            f"{as_target}>"
        )


_finding = Lock()


def devices() -> list[Device]:
    """Every device that takes SPIR-V: GPUs first, then accelerators, then CPUs."""
    # Two threads must not open the drivers twice, which `cache` alone would allow.
    with _finding:
        return list(_all_devices())


def default_device() -> Device:
    """The first of `devices()`."""
    found = devices()
    if not found:
        raise DeviceError(
            "there is no device that takes SPIR-V",
            hint="install Intel's CPU runtime with"
            " `pip install intel-opencl-rt intel-cmplr-lib-rt`, or a vendor's OpenCL driver",
        )
    return found[0]


def forget_devices() -> None:
    """Look for devices anew when they are next asked for."""
    _all_devices.cache_clear()


@cache
def _all_devices() -> tuple[Device, ...]:
    found: list[BackendDevice] = []
    for module in BACKENDS.values():
        find: FindDevices = import_module(module).find_devices
        found += find()
    found.sort(key=lambda native: _ORDER.index(native.description.kind))
    wanted = DEVICE.value()
    if wanted:
        found = select(wanted, found)
    name = STANDS_FOR.value()
    try:
        target = default_table()[name] if name else None
    except UsageError as error:
        raise UsageError(f"{STANDS_FOR.variable}: {error.message}", hint=error.hint) from None
    return tuple(Device(native, target) for native in found)


def reported_as(target: Target, device: DeviceDescription) -> DeviceDescription:
    """What `device` reports if it stands for `target`.

    What is unknown of the target is as it is on the device.
    """
    aspects = {*map(aspect_name, target.capabilities.aspects)}
    aspects |= {name for name in device.aspects if target.verdict(name) == "may"}
    return replace(
        device,
        aspects=frozenset(aspects),
        sub_group_sizes=target.sub_group_sizes or device.sub_group_sizes,
        kind=_kind_of(target, device.kind),
        target=target.name,
    )


def _kind_of(target: Target, otherwise: DeviceKind) -> DeviceKind:
    return next((kind for kind in DeviceKind if target.has(kind.value)), otherwise)

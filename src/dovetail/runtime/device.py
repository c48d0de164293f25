"""Finding devices, and their properties.

Back-ends are loaded by name on first use; each process lists its devices once.
"""

import os
from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path
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
from dovetail.settings import (
    DEVICE,
    DEVICE_CONFIG_FILES,
    EMULATED_TARGET,
    ONEAPI_DEVICE_SELECTOR,
)
from dovetail.targets import Target, aspect_name, default_table

if TYPE_CHECKING:
    from dovetail.conditions import Condition

BACKENDS = {"opencl": "dovetail.runtime.opencl", "cuda": "dovetail.runtime.cuda"}
"""The module of each back-end, with a function `find_devices`."""

# GPUs first, as in SYCL's default selector; within a kind, in the drivers' order.
_ORDER = (DeviceKind.GPU, DeviceKind.ACCELERATOR, DeviceKind.CPU)


class Device:
    """A device that kernels can run on."""

    __slots__ = ("__weakref__", "_emulated", "_native", "description", "stands_for", "work")

    def __init__(
        self,
        native: BackendDevice,
        emulated: Target | None = None,
        work: DeviceWork | None = None,
    ) -> None:
        self._native = native
        self._emulated: dict[tuple[int, str], Device] = {}
        self.description: DeviceDescription = native.description
        self.stands_for = ""
        """The name of the target that the device emulates: it reports its features. Or empty."""
        if emulated is not None:
            self.description = reported_as(emulated, native.description)
            self.stands_for = emulated.name
        self.work = work or DeviceWork()

    def as_target(self, target: Target | str) -> "Device":
        """Return this device emulating a target: with its architecture, aspects, sub-group sizes.

        Kernels still run on this device, so they also need its features.
        """
        wanted = default_table()[target] if isinstance(target, str) else target
        key = (id(wanted), wanted.name)
        if key not in self._emulated:
            # Both share the work: memory is freed when all work of the device is done.
            self._emulated[key] = Device(self._native, wanted, self.work)
        return self._emulated[key]

    @property
    def native(self) -> BackendDevice:
        """The back-end's device."""
        return self._native

    @property
    def is_lost(self) -> bool:
        """Whether the device cannot be used any more, since work on it failed."""
        return self._native.is_lost

    def allocate(self, kind: MemoryKind, size: int, alignment: int = 0) -> BackendAllocation:
        """Allocate memory; the alignment is a power of two, or 0 for the driver's default.

        If there is not enough, this waits for the device's work, which may hold the last reference
        to memory, and tries again before it raises `DeviceOutOfMemory`.
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
        """The device's target, for which code is compiled; empty if it is unknown."""
        return self.description.target

    @property
    def architecture(self) -> int | None:
        """Its value in `enum class architecture`, or None."""
        table = default_table()
        return table.architecture(self.target) if self.target in table else None

    @property
    def aspects(self) -> frozenset[str]:
        """The SYCL names of its aspects."""
        return self.description.aspects

    def has(self, aspect: str | int) -> bool:
        """Whether the device has an aspect, given by SYCL's name or number."""
        return aspect_name(aspect) in self.description.aspects

    def satisfies(self, condition: "Condition") -> bool:
        """Whether a condition holds for the features that the device reports."""
        # Devices do not have aspects of newer SYCL versions, which have no name here.
        has = self.description.capabilities.aspects.__contains__
        return conditions.holds(condition, has, self.architecture)

    def __dir__(self) -> list[str]:
        # The others are for the runtime itself.
        return [
            "architecture",
            "as_target",
            "aspects",
            "backend",
            "description",
            "driver_version",
            "extensions",
            "has",
            "is_lost",
            "kind",
            "limits",
            "name",
            "platform",
            "satisfies",
            "spirv_versions",
            "stands_for",
            "sub_group_sizes",
            "target",
        ]

    def __repr__(self) -> str:
        as_target = f" as {self.stands_for}" if self.stands_for else ""
        return (
            f"<Device '{self.name}' {self.backend}:{self.kind} driver {self.driver_version}"
            f"{as_target}>"
        )


_finding = Lock()


def devices() -> list[Device]:
    """Return all devices: GPUs, then accelerators, then CPUs.

    A device that was lost is replaced by a new object for it, if it can be used again.
    """
    # The lock keeps two threads from opening the drivers twice, which `cache` would allow.
    with _finding:
        found = _all_devices()
        for device in [each for each in found if each.is_lost]:
            place = found.index(device)
            try:
                found[place] = Device(device.native.renewed(), _emulated_target())
            except DeviceError:
                # The others can still be used.
                del found[place]
        return list(found)


def default_device() -> Device:
    """Return the first of `devices()`."""
    found = devices()
    if not found:
        raise DeviceError(
            "no device supports SPIR-V",
            hint="install Intel's CPU runtime with"
            " `pip install intel-opencl-rt intel-cmplr-lib-rt`, or a vendor's OpenCL driver",
        )
    return found[0]


def forget_devices() -> None:
    """Make the next call of `devices` look for them again."""
    _all_devices.cache_clear()


@cache
def _all_devices() -> list[Device]:
    """Open the drivers and return their devices, selected and emulating as the settings say."""
    found: list[BackendDevice] = []
    for module in BACKENDS.values():
        find: FindDevices = import_module(module).find_devices
        found += find()
    found.sort(key=lambda native: _ORDER.index(native.description.kind))
    setting = DEVICE if DEVICE.value() else ONEAPI_DEVICE_SELECTOR
    if setting.value():
        # Imported late: usually, all devices are listed.
        from dovetail.runtime.device_selection import select

        found = select(setting, found, _why_none)
    target = _emulated_target()
    return [Device(native, target) for native in found]


def _emulated_target() -> Target | None:
    """Return the target that all devices emulate; None if they do not."""
    name, files = EMULATED_TARGET.value(), DEVICE_CONFIG_FILES.value()
    if not name:
        return None
    table = default_table()
    if files:
        # Imported late: most programs have no such files.
        from dovetail.targets.user_file import read_user_files

        table = read_user_files([*map(Path, files.split(os.pathsep))], table).table
    try:
        return table[name]
    except UsageError as error:
        raise UsageError(f"{EMULATED_TARGET.variable}: {error.message}", hint=error.hint) from None


def _why_none(backend: str) -> str:
    """Return why a back-end has no device; empty if there is no such back-end."""
    module = BACKENDS.get(backend)
    return import_module(module).why_no_device() if module else ""


def reported_as(target: Target, device: DeviceDescription) -> DeviceDescription:
    """Return the description of `device` when it emulates `target`.

    Where the target's features are unknown, those of the device are reported.
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

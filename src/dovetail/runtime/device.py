"""Finding devices, and what is known of each.

Back-ends are loaded by name when devices are first asked for; the list is made once a process.
"""

from functools import cache
from importlib import import_module
from threading import Lock

from dovetail.errors import DeviceError
from dovetail.runtime.backend import (
    BackendDevice,
    DeviceDescription,
    DeviceKind,
    FindDevices,
    Limits,
)
from dovetail.runtime.event import WorkUnderWay
from dovetail.targets import aspect_name

BACKENDS = {"opencl": "dovetail.runtime.opencl"}
"""Each module has a function `find_devices`."""

# GPUs first, as SYCL's default selector does; within a kind, the drivers' own order.
_ORDER = (DeviceKind.GPU, DeviceKind.ACCELERATOR, DeviceKind.CPU)


class Device:
    """A device that kernels can run on."""

    __slots__ = ("__weakref__", "_native", "description", "work")

    def __init__(self, native: BackendDevice) -> None:
        self._native = native
        self.description: DeviceDescription = native.description
        self.work = WorkUnderWay()

    @property
    def native(self) -> BackendDevice:
        """The back-end's side of it."""
        return self._native

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
    def aspects(self) -> frozenset[str]:
        """The optional features that it has, by SYCL's names."""
        return self.description.aspects

    def has(self, aspect: str | int) -> bool:
        """Whether it has an aspect, by SYCL's name or number."""
        return aspect_name(aspect) in self.description.aspects

    def __repr__(self) -> str:
        return f"<Device '{self.name}' {self.backend}:{self.kind} driver {self.driver_version}>"


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
    found: list[Device] = []
    for module in BACKENDS.values():
        find: FindDevices = import_module(module).find_devices
        found += [Device(native) for native in find()]
    return tuple(sorted(found, key=lambda device: _ORDER.index(device.kind)))

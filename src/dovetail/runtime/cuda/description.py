"""The description of a device, as NVIDIA's driver reports it."""

from dovetail.runtime.backend import DeviceDescription, DeviceKind, Limits
from dovetail.runtime.cuda.api import Driver, Handle
from dovetail.targets import aspect_name, default_table
from dovetail.targets.nvidia import newest_up_to, target_name

SUB_GROUP_SIZE = 32
_VENDOR_ID = 0x10DE
_NAME_LENGTH = 256

_ALWAYS = {
    "gpu",
    "online_compiler",
    "online_linker",
    "queue_profiling",
    "usm_device_allocations",
    "usm_host_allocations",
    "ext_intel_device_info_uuid",
    "ext_oneapi_native_assert",
}

_OF_ARCHITECTURES = {
    "fp16",
    "fp64",
    "atomic64",
    "ext_oneapi_cuda_async_barrier",
    "ext_oneapi_cuda_cluster_group",
}
"""The aspects that depend only on the architecture, which the table of targets has."""

_BY_ATTRIBUTE = {
    # Without it, the host must not access any shared memory while the device does.
    "usm_shared_allocations": "CONCURRENT_MANAGED_ACCESS",
    "usm_atomic_shared_allocations": "CONCURRENT_MANAGED_ACCESS",
    "usm_atomic_host_allocations": "HOST_NATIVE_ATOMIC_SUPPORTED",
    "usm_system_allocations": "PAGEABLE_MEMORY_ACCESS",
}


def describe(driver: Driver, handle: Handle) -> DeviceDescription:
    """Return the description of a device."""

    def attribute(name: str) -> int:
        return driver.device_attribute(name, handle)

    capability = compute_capability(driver, handle)
    return DeviceDescription(
        backend="cuda",
        platform="NVIDIA CUDA",
        name=_text(driver.call("cuDeviceGetName", _NAME_LENGTH, handle)),
        kind=DeviceKind.GPU,
        driver_version=_version(driver.call("cuDriverGetVersion")),
        limits=_limits(driver, handle),
        sub_group_sizes=(SUB_GROUP_SIZE,),
        spirv_versions=(),
        extensions=frozenset(),
        aspects=_aspects(driver, handle, capability),
        target=target_name(capability),
        vendor="NVIDIA Corporation",
        vendor_id=_VENDOR_ID,
        version=".".join(map(str, capability)),
        platform_vendor="NVIDIA Corporation",
        platform_version=f"CUDA {_version(driver.call('cuDriverGetVersion'))}",
        compute_units=attribute("MULTIPROCESSOR_COUNT"),
        clock_mhz=attribute("CLOCK_RATE") // 1000,
        max_sub_groups=attribute("MAX_THREADS_PER_BLOCK") // SUB_GROUP_SIZE,
    )


def compute_capability(driver: Driver, handle: Handle) -> tuple[int, int]:
    """Return the compute capability: (9, 0) for sm_90."""
    return (
        driver.device_attribute("COMPUTE_CAPABILITY_MAJOR", handle),
        driver.device_attribute("COMPUTE_CAPABILITY_MINOR", handle),
    )


def _limits(driver: Driver, handle: Handle) -> Limits:
    total = int(driver.call("cuDeviceTotalMem", handle))
    sizes = (driver.device_attribute(f"MAX_BLOCK_DIM_{axis}", handle) for axis in "ZYX")
    return Limits(
        max_work_group_size=driver.device_attribute("MAX_THREADS_PER_BLOCK", handle),
        max_work_item_sizes=tuple(sizes),
        local_memory=driver.device_attribute("MAX_SHARED_MEMORY_PER_BLOCK_OPTIN", handle),
        global_memory=total,
        max_allocation=total,
    )


def _aspects(driver: Driver, handle: Handle, capability: tuple[int, int]) -> frozenset[str]:
    found = set(_ALWAYS)
    known = newest_up_to(capability)
    if known:
        numbers = default_table()[known].capabilities.aspects
        found |= _OF_ARCHITECTURES & {*map(aspect_name, numbers)}
    found |= {
        aspect for aspect, name in _BY_ATTRIBUTE.items() if driver.device_attribute(name, handle)
    }
    return frozenset(found)


def _version(number: int) -> str:
    """Return a version of CUDA in words: 13.0 for 13000."""
    return f"{number // 1000}.{number % 1000 // 10}"


def _text(data: bytes) -> str:
    return data.split(b"\0")[0].decode(errors="replace").strip()

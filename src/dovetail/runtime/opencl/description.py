"""The description of a device, as its OpenCL driver reports it."""

import platform as machine

import pyopencl as cl

from dovetail.runtime.backend import DeviceDescription, DeviceKind, Limits
from dovetail.runtime.opencl import api
from dovetail.targets import target_of_identifier

_SUB_GROUP_SIZES = 0x4108  # CL_DEVICE_SUB_GROUP_SIZES_INTEL
_NON_UNIFORM_GROUPS = 0x1065  # CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT
_IP_VERSION = 0x4250  # CL_DEVICE_IP_VERSION_INTEL
_DEVICE_ATTRIBUTES = "cl_intel_device_attribute_query"

# CL_DEVICE_{HOST,DEVICE,SINGLE_DEVICE_SHARED,SHARED_SYSTEM}_MEM_CAPABILITIES_INTEL
_HOST_MEMORY = 0x4190
_DEVICE_MEMORY = 0x4191
_SHARED_MEMORY = 0x4192
_SYSTEM_MEMORY = 0x4194
# CL_UNIFIED_SHARED_MEMORY_{ACCESS,CONCURRENT_ATOMIC_ACCESS}_INTEL
_ACCESS = 1
_CONCURRENT_ATOMICS = 8

_KINDS = (
    (cl.device_type.GPU, DeviceKind.GPU),
    (cl.device_type.ACCELERATOR, DeviceKind.ACCELERATOR),
    (cl.device_type.CPU, DeviceKind.CPU),
)

_BY_KIND = {
    DeviceKind.CPU: "cpu",
    DeviceKind.GPU: "gpu",
    DeviceKind.ACCELERATOR: "accelerator",
}

_OF_INTEL_GPUS = {
    "ext_intel_device_id",
    "ext_intel_gpu_eu_count",
    "ext_intel_gpu_slices",
    "ext_intel_gpu_subslices_per_slice",
    "ext_intel_gpu_eu_count_per_subslice",
    "ext_intel_gpu_hw_threads_per_eu",
}
"""What `details.py` reports of them."""

_BY_EXTENSIONS = {
    "ext_intel_device_info_uuid": {"cl_khr_device_uuid"},
    "fp16": {"cl_khr_fp16"},
    "fp64": {"cl_khr_fp64"},
    "int64_base_atomics": {"cl_khr_int64_base_atomics"},
    "int64_extended_atomics": {"cl_khr_int64_extended_atomics"},
    "atomic64": {"cl_khr_int64_base_atomics", "cl_khr_int64_extended_atomics"},
}

_BY_MEMORY = {
    "usm_device_allocations": (_DEVICE_MEMORY, _ACCESS),
    "usm_host_allocations": (_HOST_MEMORY, _ACCESS),
    "usm_shared_allocations": (_SHARED_MEMORY, _ACCESS),
    "usm_system_allocations": (_SYSTEM_MEMORY, _ACCESS),
    "usm_atomic_host_allocations": (_HOST_MEMORY, _CONCURRENT_ATOMICS),
    "usm_atomic_shared_allocations": (_SHARED_MEMORY, _CONCURRENT_ATOMICS),
}


def describe(handle: cl.Device) -> DeviceDescription:
    """Return the description of a device."""
    platform = handle.platform
    return DeviceDescription(
        backend="opencl",
        platform=platform.name,
        name=handle.name.strip(),
        kind=_kind(handle),
        driver_version=handle.driver_version,
        limits=_limits(handle),
        sub_group_sizes=api.device_sizes(handle.int_ptr, _SUB_GROUP_SIZES),
        spirv_versions=spirv_versions(handle),
        extensions=frozenset(handle.extensions.split()),
        aspects=_aspects(handle),
        target=_target(handle),
        vendor=handle.vendor.strip(),
        vendor_id=handle.vendor_id,
        version=handle.version.strip(),
        platform_vendor=platform.vendor,
        platform_version=platform.version,
        compute_units=handle.max_compute_units,
        clock_mhz=handle.max_clock_frequency,
        address_bits=handle.address_bits,
        max_sub_groups=_number(handle, "max_num_sub_groups"),
        supports_non_uniform_groups=bool(api.device_number(handle.int_ptr, _NON_UNIFORM_GROUPS)),
    )


def spirv_versions(handle: cl.Device) -> tuple[str, ...]:
    """Return the supported versions of SPIR-V in ascending order; empty if there are none."""
    try:
        words = str(handle.il_version).split()
    except cl.Error:
        # Drivers before OpenCL 2.1 do not have the query.
        return ()
    versions = [word.removeprefix("SPIR-V_") for word in words if word.startswith("SPIR-V_")]
    return tuple(sorted(versions, key=lambda version: tuple(map(int, version.split(".")))))


def shares_host_memory(handle: cl.Device) -> bool:
    """Return whether kernels can access all memory of this process through SVM pointers."""
    fine = cl.device_svm_capabilities.FINE_GRAIN_SYSTEM
    return bool(_number(handle, "svm_capabilities") & fine)


def is_intel_gpu(handle: cl.Device) -> bool:
    """Return whether it is a GPU that answers Intel's queries."""
    return _kind(handle) is DeviceKind.GPU and _DEVICE_ATTRIBUTES in handle.extensions.split()


def _aspects(handle: cl.Device) -> frozenset[str]:
    found = {_BY_KIND[_kind(handle)]}
    extensions = set(handle.extensions.split())
    found |= {aspect for aspect, needed in _BY_EXTENSIONS.items() if needed <= extensions}
    if api.UNIFIED_MEMORY_EXTENSION in extensions:
        found |= {aspect for aspect, (query, bit) in _BY_MEMORY.items() if _can(handle, query, bit)}
    if is_intel_gpu(handle):
        found |= _OF_INTEL_GPUS
    if shares_host_memory(handle):
        found.add("usm_system_allocations")
    if handle.queue_properties & cl.command_queue_properties.PROFILING_ENABLE:
        found.add("queue_profiling")
    if handle.compiler_available:
        found.add("online_compiler")
    if handle.linker_available:
        found.add("online_linker")
    return frozenset(found)


def _target(handle: cl.Device) -> str:
    """Return the target: for a CPU the host's, for an Intel GPU by the version it reports."""
    if _kind(handle) is DeviceKind.CPU:
        return "x86_64" if machine.machine() in ("x86_64", "AMD64") else ""
    if not is_intel_gpu(handle):
        return ""
    version = api.device_number(handle.int_ptr, _IP_VERSION)
    return target_of_identifier(version << 8)


def _can(handle: cl.Device, query: int, bit: int) -> bool:
    capabilities = api.device_sizes(handle.int_ptr, query)
    return bool(capabilities and capabilities[0] & bit)


def _limits(handle: cl.Device) -> Limits:
    return Limits(
        max_work_group_size=handle.max_work_group_size,
        max_work_item_sizes=tuple(reversed(handle.max_work_item_sizes)),
        local_memory=handle.local_mem_size,
        global_memory=handle.global_mem_size,
        max_allocation=handle.max_mem_alloc_size,
    )


def _kind(handle: cl.Device) -> DeviceKind:
    for bit, kind in _KINDS:
        if handle.type & bit:
            return kind
    return DeviceKind.ACCELERATOR


def _number(handle: cl.Device, name: str) -> int:
    """Return a property; 0 if the driver is too old for it."""
    try:
        return int(getattr(handle, name))
    except cl.Error:
        return 0

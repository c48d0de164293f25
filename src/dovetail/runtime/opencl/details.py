"""Properties of devices and kernels that only programs ask for, by the names of SYCL's queries."""

from typing import cast

import pyopencl as cl

from dovetail.runtime.backend import Detail
from dovetail.runtime.opencl import api

_UUID = 0x106A  # CL_DEVICE_UUID_KHR

# Of cl_intel_device_attribute_query.
_OF_INTEL_DEVICES = {
    "device_id": 0x4251,  # CL_DEVICE_ID_INTEL
    "gpu_slices": 0x4252,  # CL_DEVICE_NUM_SLICES_INTEL
    "gpu_subslices_per_slice": 0x4253,  # CL_DEVICE_NUM_SUB_SLICES_PER_SLICE_INTEL
    "gpu_eu_count_per_subslice": 0x4254,  # CL_DEVICE_NUM_EUS_PER_SUB_SLICE_INTEL
    "gpu_hw_threads_per_eu": 0x4255,  # CL_DEVICE_NUM_THREADS_PER_EU_INTEL
}

# OpenCL's names of queries whose names differ in more than upper case.
_OTHER_NAMES = {
    "global_mem_cache_line_size": "GLOBAL_MEM_CACHELINE_SIZE",
    "is_endian_little": "ENDIAN_LITTLE",
    "is_available": "AVAILABLE",
    "is_compiler_available": "COMPILER_AVAILABLE",
    "is_linker_available": "LINKER_AVAILABLE",
}

_OF_KERNELS = {
    "work_group_size": cl.kernel_work_group_info.WORK_GROUP_SIZE,
    "preferred_work_group_size_multiple": (
        cl.kernel_work_group_info.PREFERRED_WORK_GROUP_SIZE_MULTIPLE
    ),
    "private_mem_size": cl.kernel_work_group_info.PRIVATE_MEM_SIZE,
}


def device_detail(handle: cl.Device, is_intel_gpu: bool, name: str) -> Detail | None:
    """Return a property of a device; None if the driver does not report it."""
    if name == "uuid":
        return api.device_bytes(handle.int_ptr, _UUID) or None
    if name in _OF_INTEL_DEVICES:
        return api.device_number(handle.int_ptr, _OF_INTEL_DEVICES[name]) if is_intel_gpu else None
    if name == "gpu_eu_count":
        return handle.max_compute_units if is_intel_gpu else None
    query = getattr(cl.device_info, _OTHER_NAMES.get(name, name.upper()), None)
    if query is None:
        return None
    try:
        value = cast(str | int, handle.get_info(query))
    except cl.Error:
        # Drivers need not have all queries of newer versions of OpenCL.
        return None
    return value if isinstance(value, str) else int(value)


def kernel_detail(handle: cl.Kernel, device: cl.Device, name: str) -> int:
    """Return a property of a built kernel."""
    try:
        return cast(int, handle.get_work_group_info(_OF_KERNELS[name], device))
    except cl.Error as error:
        raise api.status_error("clGetKernelWorkGroupInfo", error.code) from None

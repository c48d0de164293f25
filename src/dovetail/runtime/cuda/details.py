"""Properties of devices that only programs ask for, by the names of SYCL's queries.

The values are numbers of OpenCL.
"""

from dovetail.runtime.backend import Detail
from dovetail.runtime.cuda.api import CudaError, Driver, Handle

_PCI_LENGTH = 32

_FP_CONFIG = 0x3F
"""Denormals, infinities, all rounding modes, fused multiply-add."""
_CORRECTLY_ROUNDED = 0x80
"""Of division and square root."""
_ALL_ORDERS_AND_SCOPES = 0x7F

_FIXED: dict[str, int] = {
    **{f"preferred_vector_width_{kind}": 1 for kind in ("char", "short", "int", "long", "float")},
    **{f"native_vector_width_{kind}": 1 for kind in ("char", "short", "int", "long", "float")},
    **dict.fromkeys(
        [
            *("max_read_image_args", "max_write_image_args", "max_samplers"),
            *("image2d_max_width", "image2d_max_height"),
            *("image3d_max_width", "image3d_max_height", "image3d_max_depth"),
            *("image_max_buffer_size", "image_max_array_size"),
        ],
        0,
    ),
    "preferred_vector_width_double": 1,
    "native_vector_width_double": 1,
    "max_parameter_size": 4096,
    "mem_base_addr_align": 2048,
    "single_fp_config": _FP_CONFIG | _CORRECTLY_ROUNDED,
    "double_fp_config": _FP_CONFIG,
    "global_mem_cache_type": 2,  # CL_READ_WRITE_CACHE
    "global_mem_cache_line_size": 128,
    "max_constant_buffer_size": 1 << 16,
    "max_constant_args": 8,
    "local_mem_type": 1,  # CL_LOCAL
    "atomic_memory_capabilities": _ALL_ORDERS_AND_SCOPES,
    "atomic_fence_capabilities": _ALL_ORDERS_AND_SCOPES,
    "profiling_timer_resolution": 500,
    "is_endian_little": 1,
    "is_available": 1,
    "is_compiler_available": 1,
    "is_linker_available": 1,
    "execution_capabilities": 1,  # CL_EXEC_KERNEL
    "preferred_interop_user_sync": 0,
    "printf_buffer_size": 1 << 20,
}

_ATTRIBUTES = {
    "global_mem_cache_size": "L2_CACHE_SIZE",
    "error_correction_support": "ECC_ENABLED",
    "host_unified_memory": "INTEGRATED",
}

_FIRST_WITH_HALF = (5, 3)
_FIRST_WITH_FORWARD_PROGRESS = (7, 0)


def device_detail(
    driver: Driver, handle: Handle, capability: tuple[int, int], name: str
) -> Detail | None:
    """Return a property of a device; None if the driver does not report it."""
    has_half = int(capability >= _FIRST_WITH_HALF)
    match name:
        case "uuid":
            return _uuid(driver, handle)
        case "pci_address":
            text: bytes = driver.call("cuDeviceGetPCIBusId", _PCI_LENGTH, handle)
            return text.split(b"\0")[0].decode(errors="replace")
        case "half_fp_config":
            return _FP_CONFIG * has_half
        case "preferred_vector_width_half" | "native_vector_width_half":
            return has_half
        case "sub_group_independent_forward_progress":
            return int(capability >= _FIRST_WITH_FORWARD_PROGRESS)
        case _ if name in _ATTRIBUTES:
            return driver.device_attribute(_ATTRIBUTES[name], handle)
        case _:
            return _FIXED.get(name)


def _uuid(driver: Driver, handle: Handle) -> bytes | None:
    try:
        return bytes(driver.call("cuDeviceGetUuid", handle).bytes)
    except CudaError:
        return None

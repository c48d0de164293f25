"""The constants and structures of `api.hpp`, for ctypes."""

from ctypes import Structure, c_char_p, c_size_t, c_uint32, c_uint64, c_void_p
from enum import IntEnum, IntFlag

from dovetail.runtime.backend import MemoryKind

API_VERSION = 8


HOST_TASK_FAILURE = -1
"""The result of `queue_next_failure` for a host task, whose exception the headers store."""


class Access(IntFlag):
    """How a command group uses a buffer."""

    READ = 1
    WRITE = 2
    NO_INIT = 4


class BufferSource(IntEnum):
    """What a new buffer does with the memory that has its initial content."""

    BORROWED = 0
    COPIED = 1
    IN_PLACE = 2


class QueueFlag(IntFlag):
    """Properties of a queue."""

    IN_ORDER = 1
    PROFILING = 2


class UsmKind(IntEnum):
    """The numbers of `usm::alloc`."""

    HOST = 0
    DEVICE = 1
    SHARED = 2
    UNKNOWN = 3


MEMORY_KINDS = {
    UsmKind.HOST: MemoryKind.HOST,
    UsmKind.DEVICE: MemoryKind.DEVICE,
    UsmKind.SHARED: MemoryKind.SHARED,
}


class DeviceQuery(IntEnum):
    """The queries of `device_info`."""

    NAME = 0
    VENDOR = 1
    DRIVER_VERSION = 2
    VERSION = 3
    PLATFORM_NAME = 4
    PLATFORM_VENDOR = 5
    PLATFORM_VERSION = 6
    DEVICE_TYPE = 7
    ASPECTS = 8
    MAX_COMPUTE_UNITS = 9
    MAX_WORK_GROUP_SIZE = 10
    MAX_WORK_ITEM_SIZES = 11
    LOCAL_MEM_SIZE = 12
    GLOBAL_MEM_SIZE = 13
    MAX_MEM_ALLOC_SIZE = 14
    SUB_GROUP_SIZES = 15
    EXTENSIONS = 16
    MAX_CLOCK_FREQUENCY = 17
    VENDOR_ID = 18
    ADDRESS_BITS = 19
    MAX_NUM_SUB_GROUPS = 20
    BACKEND = 21
    ARCHITECTURE = 22

    # Details, which the driver reports in OpenCL's numbers, or not at all.
    PREFERRED_VECTOR_WIDTH_CHAR = 23
    PREFERRED_VECTOR_WIDTH_SHORT = 24
    PREFERRED_VECTOR_WIDTH_INT = 25
    PREFERRED_VECTOR_WIDTH_LONG = 26
    PREFERRED_VECTOR_WIDTH_FLOAT = 27
    PREFERRED_VECTOR_WIDTH_DOUBLE = 28
    PREFERRED_VECTOR_WIDTH_HALF = 29
    NATIVE_VECTOR_WIDTH_CHAR = 30
    NATIVE_VECTOR_WIDTH_SHORT = 31
    NATIVE_VECTOR_WIDTH_INT = 32
    NATIVE_VECTOR_WIDTH_LONG = 33
    NATIVE_VECTOR_WIDTH_FLOAT = 34
    NATIVE_VECTOR_WIDTH_DOUBLE = 35
    NATIVE_VECTOR_WIDTH_HALF = 36
    MAX_READ_IMAGE_ARGS = 37
    MAX_WRITE_IMAGE_ARGS = 38
    IMAGE2D_MAX_WIDTH = 39
    IMAGE2D_MAX_HEIGHT = 40
    IMAGE3D_MAX_WIDTH = 41
    IMAGE3D_MAX_HEIGHT = 42
    IMAGE3D_MAX_DEPTH = 43
    IMAGE_MAX_BUFFER_SIZE = 44
    IMAGE_MAX_ARRAY_SIZE = 45
    MAX_SAMPLERS = 46
    MAX_PARAMETER_SIZE = 47
    MEM_BASE_ADDR_ALIGN = 48
    HALF_FP_CONFIG = 49
    SINGLE_FP_CONFIG = 50
    DOUBLE_FP_CONFIG = 51
    GLOBAL_MEM_CACHE_TYPE = 52
    GLOBAL_MEM_CACHE_LINE_SIZE = 53
    GLOBAL_MEM_CACHE_SIZE = 54
    MAX_CONSTANT_BUFFER_SIZE = 55
    MAX_CONSTANT_ARGS = 56
    LOCAL_MEM_TYPE = 57
    ERROR_CORRECTION_SUPPORT = 58
    HOST_UNIFIED_MEMORY = 59
    ATOMIC_MEMORY_CAPABILITIES = 60
    ATOMIC_FENCE_CAPABILITIES = 61
    PROFILING_TIMER_RESOLUTION = 62
    IS_ENDIAN_LITTLE = 63
    IS_AVAILABLE = 64
    IS_COMPILER_AVAILABLE = 65
    IS_LINKER_AVAILABLE = 66
    EXECUTION_CAPABILITIES = 67
    PREFERRED_INTEROP_USER_SYNC = 68
    PRINTF_BUFFER_SIZE = 69
    SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS = 70
    DEVICE_ID = 71
    GPU_EU_COUNT = 72
    GPU_SLICES = 73
    GPU_SUBSLICES_PER_SLICE = 74
    GPU_EU_COUNT_PER_SUBSLICE = 75
    GPU_HW_THREADS_PER_EU = 76
    PROFILE = 77
    OPENCL_C_VERSION = 78
    BUILT_IN_KERNELS = 79
    UUID = 80


class KernelQuery(IntEnum):
    """The queries of `kernel_detail`."""

    WORK_GROUP_SIZE = 0
    PREFERRED_WORK_GROUP_SIZE_MULTIPLE = 1
    PRIVATE_MEM_SIZE = 2
    COMPILE_SUB_GROUP_SIZE = 3
    NUM_ARGS = 4


class KernelName(Structure):
    """`kernel_name`."""

    _fields_ = (("symbol", c_char_p), ("name", c_char_p))


class GlobalCopyStruct(Structure):
    """`global_copy`."""

    _fields_ = (
        ("identifier", c_char_p),
        ("element", c_size_t),
        ("memory", c_void_p),
        ("size", c_size_t),
        ("offset", c_size_t),
        ("writes", c_uint32),
        ("reserved", c_uint32),
    )


class ConstantValue(Structure):
    """`constant_value`."""

    _fields_ = (("identifier", c_char_p), ("value", c_void_p), ("size", c_size_t))


class LibraryProgram(Structure):
    """`library_program`."""

    _fields_ = (
        ("next", c_void_p),
        ("origin", c_void_p),
        ("data", c_void_p),
        ("size", c_size_t),
        ("unloaded", c_uint64),
    )


class LibraryList(Structure):
    """`library_list`."""

    _fields_ = (("newest", c_void_p), ("changes", c_uint64))


class BufferAccess(Structure):
    """`buffer_access`."""

    _fields_ = (("buffer", c_uint64), ("mode", c_uint32), ("reserved", c_uint32))


class RequirementsStruct(Structure):
    """`requirements`."""

    _fields_ = (
        ("accesses", c_void_p),
        ("access_count", c_size_t),
        ("events", c_void_p),
        ("event_count", c_size_t),
    )


class KernelLaunch(Structure):
    """`kernel_launch`."""

    _fields_ = (
        ("kernel", c_char_p),
        ("dimensions", c_uint32),
        ("has_local", c_uint32),
        ("global", c_size_t * 3),
        ("local", c_size_t * 3),
        ("offset", c_size_t * 3),
        ("object_size", c_size_t),
        ("constants", c_uint64),
        ("object", c_void_p),
    )

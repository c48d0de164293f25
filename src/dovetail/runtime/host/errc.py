"""The values of `sycl::errc`, and which errors they report."""

from enum import IntEnum

from dovetail.errors import (
    ArgumentError,
    DeviceError,
    DovetailError,
    FormatError,
    KernelNotFound,
    ProgramBuildError,
)
from dovetail.runtime.backend import DeviceOutOfMemory
from dovetail.runtime.nd_range import RangeError
from dovetail.runtime.refusals import KernelNotSupported


class Errc(IntEnum):
    """The values of `sycl::errc`, in the order of SYCL's specification."""

    SUCCESS = 0
    RUNTIME = 1
    KERNEL = 2
    ACCESSOR = 3
    ND_RANGE = 4
    EVENT = 5
    KERNEL_ARGUMENT = 6
    BUILD = 7
    INVALID = 8
    MEMORY_ALLOCATION = 9
    PLATFORM = 10
    PROFILING = 11
    FEATURE_NOT_SUPPORTED = 12
    KERNEL_NOT_SUPPORTED = 13
    BACKEND_MISMATCH = 14


class HostError(DovetailError):
    """An error of host code, with its `errc`."""

    def __init__(self, errc: Errc, message: str, *, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.errc = errc


# The first match decides, so derived classes come before their bases.
_ERRCS: tuple[tuple[type[BaseException], Errc], ...] = (
    (RangeError, Errc.ND_RANGE),
    (ArgumentError, Errc.KERNEL_ARGUMENT),
    (KernelNotSupported, Errc.KERNEL_NOT_SUPPORTED),
    (ProgramBuildError, Errc.BUILD),
    (FormatError, Errc.BUILD),
    (KernelNotFound, Errc.KERNEL),
    (DeviceOutOfMemory, Errc.MEMORY_ALLOCATION),
    (MemoryError, Errc.MEMORY_ALLOCATION),
    (DeviceError, Errc.RUNTIME),
)


def errc_of(error: BaseException) -> Errc:
    """Return the `errc` for an error; `RUNTIME` if no row matches."""
    if isinstance(error, HostError):
        return error.errc
    return next((errc for kind, errc in _ERRCS if isinstance(error, kind)), Errc.RUNTIME)

"""Dovetail: a SYCL device toolchain and runtime in Python, on stock LLVM.

    >>> import numpy as np
    >>> import dovetail
    >>> program = dovetail.build('''
    ... #include <sycl/sycl.hpp>
    ... namespace syclext = sycl::ext::oneapi;
    ... namespace syclexp = sycl::ext::oneapi::experimental;
    ... SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::nd_range_kernel<1>))
    ... void scale(float factor, float *values) {
    ...   values[syclext::this_work_item::get_nd_item<1>().get_global_id(0)] *= factor;
    ... }
    ... ''')
    >>> queue = dovetail.Queue()
    >>> values = np.arange(4, dtype=np.float32)
    >>> queue.parallel_for(program["scale"], dovetail.NdRange(4, 2), 10, values).wait()
    >>> values
    array([ 0., 10., 20., 30.], dtype=float32)

Kernels accept NumPy arrays, arrays of other libraries, and memory of the device:

    >>> shared = queue.alloc(4, np.float32)
    >>> shared.copy_from(values)
    >>> event = queue.parallel_for(program["scale"], 4, 0.5, shared)
    >>> shared.to_numpy()
    array([ 0.,  5., 10., 15.], dtype=float32)

A mistake is an error that says what was expected:

    >>> queue.parallel_for(program["scale"], 4, "ten", values)
    Traceback (most recent call last):
    dovetail.errors.ArgumentTypeError: argument 1, 'factor' (float), of kernel 'scale': expected ...

How long kernels take:

    >>> with dovetail.profile() as p:
    ...     for _ in range(3):
    ...         event = queue.parallel_for(program["scale"], 4, 2, values)
    >>> p.rows[0].kernel, p.rows[0].calls
    ('scale', 3)

Names are loaded on first use. Running programs needs only Python and a device's driver; building
them also needs LLVM and the native modules.
"""

import sys

_NAMES = sys._getframe().f_code.co_names  # pyright: ignore[reportPrivateUsage]


def __getattr__(name: str) -> object:
    # Imported here: many processes import this package only for one of its modules.
    from dovetail.on_demand import exports_of, load_export

    return load_export(__name__, exports_of(_NAMES), name)


def __dir__() -> list[str]:
    from dovetail.on_demand import exports_of

    return sorted(exports_of(_NAMES))


# Not from typing: importing it takes longer than everything else here.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from dovetail.driver import build as build, kernel as kernel
    from dovetail.errors import (
        ArgumentError as ArgumentError,
        CompileError as CompileError,
        DeviceError as DeviceError,
        DovetailError as DovetailError,
        DuplicateDefinition as DuplicateDefinition,
        FormatError as FormatError,
        InputError as InputError,
        IRError as IRError,
        KernelAssertionFailed as KernelAssertionFailed,
        KernelNotFound as KernelNotFound,
        MissingImport as MissingImport,
        NoImageForDevice as NoImageForDevice,
        ProgramBuildError as ProgramBuildError,
        ToolMissing as ToolMissing,
        UsageError as UsageError,
    )
    from dovetail.runtime import (
        NULL as NULL,
        Device as Device,
        Event as Event,
        EventProfile as EventProfile,
        Kernel as Kernel,
        KernelNotSupported as KernelNotSupported,
        NdRange as NdRange,
        Profile as Profile,
        Program as Program,
        Queue as Queue,
        UsmArray as UsmArray,
        devices as devices,
        from_dlpack as from_dlpack,
        load as load,
        profile as profile,
    )
    from dovetail.version import __version__ as __version__

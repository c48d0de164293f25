"""Dovetail: a SYCL device toolchain and runtime in Python, on stock LLVM.

    import dovetail

    program = dovetail.build("k.cpp")
    queue = dovetail.Queue()
    queue.parallel_for(program["kernel"], dovetail.NdRange((64,), (16,)), data).wait()

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
    from dovetail.driver import build as build
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
        Device as Device,
        Event as Event,
        Kernel as Kernel,
        KernelNotSupported as KernelNotSupported,
        NdRange as NdRange,
        Program as Program,
        Queue as Queue,
        UsmArray as UsmArray,
        devices as devices,
        load as load,
    )
    from dovetail.version import __version__ as __version__

"""Building code with NVIDIA's driver: cubins are loaded, PTX is compiled and linked to a cubin."""

import os
from collections.abc import Sequence
from ctypes import string_at

from dovetail.errors import ProgramBuildError
from dovetail.runtime.backend import Code, CodeKind
from dovetail.runtime.cuda.api import CudaError, Handle
from dovetail.runtime.cuda.context import CudaContext
from dovetail.runtime.cuda.cubin import check_cubin, check_ptx

_LOG_SIZE = 1 << 14

_DRIVERS_VARIABLES = ("CUDA_DISABLE_PTX_JIT", "CUDA_FORCE_JIT", "CUDA_FORCE_PTX_JIT")


def build_settings() -> dict[str, str]:
    """Return the environment variables that affect the results of the driver's compiler."""
    return {name: os.environ[name] for name in _DRIVERS_VARIABLES if name in os.environ}


def cubin_of(context: CudaContext, parts: Sequence[Code], capability: tuple[int, int]) -> bytes:
    """Return the parts as one checked cubin; raise `ProgramBuildError` if that fails."""
    if parts[0].kind is CodeKind.NATIVE:
        cubin = parts[0].data
    else:
        for part in parts:
            check_ptx(part.data, capability, context.name)
        cubin = _linked(context, parts)
    check_cubin(cubin, capability, context.name)
    return cubin


def load_module(context: CudaContext, cubin: bytes) -> Handle:
    """Return the cubin's module in the context."""
    try:
        return context.call("cuModuleLoadData", cubin)
    except CudaError as error:
        raise _refusal(context, error) from None


def _linked(context: CudaContext, parts: Sequence[Code]) -> bytes:
    log = bytearray(_LOG_SIZE)
    # The driver writes to the log until the state is destroyed.
    state = context.call("cuLinkCreate", 2, list(context.driver.log_options), [log, _LOG_SIZE])
    try:
        for number, part in enumerate(parts):
            # PTX must be zero-terminated, and the size includes the zero.
            text = part.data + b"\0"
            name = f"image {number}".encode()
            kind = context.driver.ptx_input
            context.call("cuLinkAddData", state, kind, text, len(text), name, 0, [], [])
        address, size = context.call("cuLinkComplete", state)
        # The state owns the code.
        return string_at(int(address), int(size))
    except CudaError as error:
        raise _refusal(context, error, log) from None
    finally:
        if not context.is_lost:
            context.call("cuLinkDestroy", state)


def _refusal(
    context: CudaContext, error: CudaError, log: bytes | bytearray = b""
) -> ProgramBuildError:
    said = bytes(log).split(b"\0")[0].decode(errors="replace").strip()
    reason = f"the driver of '{context.name}' refused the code, {error.status_name}"
    return ProgramBuildError(f"{reason}:\n{said}" if said else reason)

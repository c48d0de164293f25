"""Intel's OpenCL CPU runtime as a compiler, for the host's processor or a named CPU kind.

With `TARGET_SETTING` set to a CPU kind, the runtime generates code for it; an unknown name makes
the device unavailable. It runs in worker processes: the setting is read once per process, and some
compilations crash, above all for the newest processors. A worker compiles several modules of a
build, since its start takes longer than most compilations.
"""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from dovetail import packing
from dovetail.compilers.cpu_kinds import TARGET_SETTING, kind_of_binary, minimal_kernel
from dovetail.compilers.queries import cached_query, environment_settings, file_identity
from dovetail.errors import FormatError, ToolFailed, ToolMissing
from dovetail.resources import OPENCL_VENDOR_VARIABLES, opencl_drivers
from dovetail.settings import DEVICE, EMULATED_TARGET

WORKER = "dovetail.runtime.opencl_worker"
"""The module of the worker, by name: it uses `dovetail.runtime`, which this package must not
import."""

BUILT = "built"
REFUSED = "refused"
UNAVAILABLE = "unavailable"
"""There is no device, or none for the named CPU kind."""
CRASHED = "crashed"
"""The worker process crashed in the driver."""

_NAME = "Intel OpenCL CPU runtime"
_DRIVER = "libintelocl.so"
_SETTINGS_PREFIX = "CL_CONFIG_"

_TIMEOUT_S = 60.0
"""For small modules, whose compilation takes longer only if it hangs."""


class OpenCLCpu(NamedTuple):
    """The installed runtime."""

    version: str
    """The driver version."""
    files: str
    """Identifies the driver's files."""

    @property
    def name(self) -> str:
        return f"{_NAME} {self.version}"

    @property
    def identity(self) -> tuple[str, ...]:
        """What its code depends on besides the input: driver and settings."""
        return (self.name, self.files, *environment_settings(_SETTINGS_PREFIX))


class Compilation(NamedTuple):
    """The result of compiling a module."""

    outcome: str
    """`BUILT`, `REFUSED`, `UNAVAILABLE` or `CRASHED`."""
    message: str
    """The driver version after success, else the error."""
    code: bytes = b""


def find_opencl_cpu() -> OpenCLCpu:
    """Return the installed runtime; raise `ToolMissing` if there is none."""
    files = _files()
    version = cached_query(files, "OpenCL CPU runtime: version", lambda: _query_version(""), str)
    if version is None:
        named = [name for name in OPENCL_VENDOR_VARIABLES if os.environ.get(name)]
        # These variables can hide an installed driver from the loader.
        unset = f"; if it is installed, unset {' and '.join(named)}" if named else ""
        raise ToolMissing(
            "Intel's OpenCL CPU runtime is not installed",
            hint=f"pip install intel-opencl-rt intel-cmplr-lib-rt{unset}",
        )
    return OpenCLCpu(version, files)


def knows_processor(runtime: OpenCLCpu, processor: str) -> bool:
    """Return whether the runtime compiles for a processor."""
    question = f"OpenCL CPU runtime: {TARGET_SETTING}={processor}"
    known = cached_query(
        runtime.files, question, lambda: _query_version(processor) is not None, bool
    )
    return known is True


def host_cpu_kind(host: str) -> str:
    """Return the CPU kind that it compiles for on this host; empty if it is not installed.

    `host` describes the processor. It is part of the cache key, since hosts can share a cache.
    """
    settings = environment_settings(_SETTINGS_PREFIX)
    question = repr(("OpenCL CPU runtime: kind of the host", host, settings))
    return cached_query(_files(), question, _query_kind, str) or ""


def compile_spirv(
    spirv: bytes,
    processor: str = "",
    options: Sequence[str] = (),
    *,
    seconds: float | None = _TIMEOUT_S,
    purpose: str = "",
) -> Compilation:
    """Compile SPIR-V to native code for a processor, by default the host's.

    Raises `ToolFailed` if the worker cannot be started or exceeds the time limit.
    """
    # Imported here: planning a build starts no process.
    from dovetail.processes.pool import WorkerCommand, current_pool
    from dovetail.processes.process import Finished
    from dovetail.processes.python_command import RUNTIME_DEPENDENCIES, python_command

    words = python_command(WORKER, options, RUNTIME_DEPENDENCIES)
    worker = WorkerCommand(_NAME, words, tuple(_worker_environment(processor).items()))
    answer = current_pool().ask(worker, spirv, seconds=seconds, purpose=purpose)
    if isinstance(answer, Finished):
        return Compilation(CRASHED, f"it crashed ({answer.termination}): {answer.log_excerpt}")
    return unpacked(answer)


def packed(compilation: Compilation) -> bytes:
    """Encode the answer of the worker."""
    outcome, message, code = compilation
    return packing.packed([outcome.encode(), message.encode(errors="replace"), code])


def unpacked(answer: bytes) -> Compilation:
    """Decode the answer of the worker; raise `FormatError` if it is malformed."""
    parts = packing.unpacked(answer)
    expected = len(Compilation._fields)
    if len(parts) != expected:
        raise FormatError(f"expected {expected} parts from the OpenCL CPU worker, got {len(parts)}")
    outcome, message, code = parts
    return Compilation(outcome.decode(errors="replace"), message.decode(errors="replace"), code)


def _worker_environment(processor: str) -> dict[str, str]:
    """Return the settings of a worker, which ignores the user's choice of a device."""
    chosen = {TARGET_SETTING: processor} if processor else {}
    return {DEVICE.variable: "", EMULATED_TARGET.variable: "", **chosen}


def _query_version(processor: str) -> str | None:
    try:
        compilation = compile_spirv(b"", processor)
    except ToolFailed:
        return None
    return compilation.message if compilation.outcome == BUILT else None


def _query_kind() -> str | None:
    try:
        return kind_of_binary(compile_spirv(minimal_kernel()).code) or None
    except ToolFailed:
        return None


def _files() -> str:
    """Return the identity of the files that the loader may load as this driver."""
    chosen = [os.environ[name] for name in OPENCL_VENDOR_VARIABLES if os.environ.get(name)]
    named = opencl_drivers(map(Path, chosen)) if chosen else opencl_drivers()
    here = Path(sys.prefix, "lib", _DRIVER)
    return repr([*chosen, *map(file_identity, [*named, os.fspath(here)])])

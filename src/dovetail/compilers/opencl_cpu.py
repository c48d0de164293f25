"""Intel's OpenCL CPU runtime, which compiles for the machine's own processor or a named one.

With `TARGET_SETTING` set to the name of a CPU kind, the runtime generates code for that one; a name
that it does not know makes the device unavailable. It works in
child processes: the setting is read once a process, and a build that crashes, as some do for the
newest processors, must not take anything else with it. Such a worker stays for the next module of
its build, since its start takes longer than most modules.
"""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from dovetail import packing
from dovetail.compilers.answers import answer_of, identity_of, variables_like
from dovetail.compilers.cpu_kinds import TARGET_SETTING, kind_of_binary, minimal_kernel
from dovetail.errors import FormatError, ToolFailed, ToolMissing
from dovetail.resources import OPENCL_VENDOR_VARIABLES, opencl_drivers
from dovetail.settings import DEVICE, EMULATED_TARGET

WORKER = "dovetail.runtime.opencl_worker"
"""The module that is started, by name: it needs the runtime, which is not for us to import."""

BUILT = "built"
REFUSED = "refused"
UNAVAILABLE = "unavailable"
"""There is no device, or none for the processor that was named."""
LOST = "lost"
"""The driver brought the process down."""

_NAME = "Intel OpenCL CPU runtime"
_DRIVER = "libintelocl.so"
_SETTINGS = "CL_CONFIG_"

_SECONDS = 60.0
"""For small modules: whatever takes longer hangs."""


class OpenCLCpu(NamedTuple):
    """The runtime that is installed."""

    version: str
    """The driver's."""
    files: str
    """Tells its files from others'."""

    @property
    def name(self) -> str:
        return f"{_NAME} {self.version}"

    @property
    def identity(self) -> tuple[str, ...]:
        """Tells its code from that of others: which driver it is, and its settings."""
        return (self.name, self.files, *variables_like(_SETTINGS))


class Compilation(NamedTuple):
    """What became of a module."""

    outcome: str
    """`BUILT`, `REFUSED`, `UNAVAILABLE` or `LOST`."""
    said: str
    """The driver's version if it was built, else what went wrong."""
    code: bytes = b""


def find_opencl_cpu() -> OpenCLCpu:
    """The runtime on this machine; `ToolMissing` if there is none."""
    files = _files()
    version = answer_of(files, "OpenCL CPU runtime: version", lambda: _ask_version(""), str)
    if version is None:
        named = [name for name in OPENCL_VENDOR_VARIABLES if os.environ.get(name)]
        # Who has set one of them may have it installed, out of sight.
        unset = f"; if it is, unset {' and '.join(named)}" if named else ""
        raise ToolMissing(
            "Intel's OpenCL CPU runtime is not installed",
            hint=f"pip install intel-opencl-rt intel-cmplr-lib-rt{unset}",
        )
    return OpenCLCpu(version, files)


def knows_processor(runtime: OpenCLCpu, processor: str) -> bool:
    """Whether it compiles for a processor."""
    question = f"OpenCL CPU runtime: {TARGET_SETTING}={processor}"
    known = answer_of(runtime.files, question, lambda: _ask_version(processor) is not None, bool)
    return known is True


def host_cpu_kind(host: str) -> str:
    """Return the CPU kind that it compiles for on this host; empty if it is not installed.

    `host` describes the processor: the answer is kept for each, since a cache can be shared.
    """
    question = repr(("OpenCL CPU runtime: kind of the host", host, variables_like(_SETTINGS)))
    return answer_of(_files(), question, _ask_kind, str) or ""


def compile_spirv(
    spirv: bytes,
    processor: str = "",
    options: Sequence[str] = (),
    *,
    seconds: float | None = _SECONDS,
    purpose: str = "",
) -> Compilation:
    """Native code for a processor, for the machine's own if none is named.

    `ToolFailed` if that cannot be started or takes too long.
    """
    # Who plans a build starts no process.
    from dovetail.processes.pool import WorkerCommand, current_pool
    from dovetail.processes.process import Finished
    from dovetail.processes.python_command import RUNTIME_DEPENDENCIES, python_command

    words = python_command(WORKER, options, RUNTIME_DEPENDENCIES)
    worker = WorkerCommand(_NAME, words, tuple(_choice(processor).items()))
    answer = current_pool().ask(worker, spirv, seconds=seconds, purpose=purpose)
    if isinstance(answer, Finished):
        return Compilation(LOST, f"it crashed ({answer.termination}): {answer.log_excerpt}")
    return unpacked(answer)


def packed(compilation: Compilation) -> bytes:
    """Return what the worker answers."""
    outcome, said, code = compilation
    return packing.packed([outcome.encode(), said.encode(errors="replace"), code])


def unpacked(answer: bytes) -> Compilation:
    """What was packed; `FormatError` if it is something else."""
    parts = packing.unpacked(answer)
    if len(parts) != len(Compilation._fields):
        raise FormatError(f"the OpenCL compiler's process answered in {len(parts)} parts")
    outcome, said, code = parts
    return Compilation(outcome.decode(errors="replace"), said.decode(errors="replace"), code)


def _choice(processor: str) -> dict[str, str]:
    """Return settings: the worker looks for this device, whatever the user wants to run on."""
    chosen = {TARGET_SETTING: processor} if processor else {}
    return {DEVICE.variable: "", EMULATED_TARGET.variable: "", **chosen}


def _ask_version(processor: str) -> str | None:
    try:
        compilation = compile_spirv(b"", processor)
    except ToolFailed:
        return None
    return compilation.said if compilation.outcome == BUILT else None


def _ask_kind() -> str | None:
    try:
        return kind_of_binary(compile_spirv(minimal_kernel()).code) or None
    except ToolFailed:
        return None


def _files() -> str:
    """What tells the driver that the loader will find from others: files that may be it."""
    chosen = [os.environ[name] for name in OPENCL_VENDOR_VARIABLES if os.environ.get(name)]
    named = opencl_drivers(map(Path, chosen)) if chosen else opencl_drivers()
    here = Path(sys.prefix, "lib", _DRIVER)
    return repr([*chosen, *map(identity_of, [*named, os.fspath(here)])])

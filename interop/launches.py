"""Checks that Intel's runtime runs or rejects the kernels of a SYCLBIN as expected.

`dovetail c++` compiles `kernels.cpp` to a SYCLBIN; `host.cpp` loads it with Intel's runtime and
launches each kernel.
"""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path

from dovetail.image import (
    AbstractModule,
    decode_info,
    encode_info,
    read_program,
    write_program,
)
from interop.intel_runtime import IntelRuntime

SOURCES = Path(__file__).with_name("runtime")

# `sycl::errc`, in the order of its numbers.
_ERROR_CODES = (
    "success",
    "runtime",
    "kernel",
    "accessor",
    "nd_range",
    "event",
    "kernel_argument",
    "build",
    "invalid",
    "memory_allocation",
    "platform",
    "profiling",
    "feature_not_supported",
    "kernel_not_supported",
    "backend_mismatch",
)

# The message for kernels whose image was dropped when the file was loaded, and for unknown names.
_DROPPED = "not found in kernel_bundle"


@dataclass(frozen=True)
class Case:
    """A kernel to launch, and the expected result."""

    kernel: str
    requires: str
    element: str = "float"
    group_size: int = 128
    refusal: str = ""
    """A part of the message if the runtime must reject it."""

    @property
    def symbol(self) -> str:
        """The name of the kernel in the file."""
        return f"__sycl_kernel_{self.kernel}"

    @property
    def word(self) -> str:
        """The argument for the host program."""
        return f"{self.kernel}:{self.element}:{self.group_size}"


CASES = (
    Case("plain", "nothing"),
    Case("doubles", "aspect fp64", element="double"),
    Case("groups_of_8", "work-groups of 8", group_size=8),
    Case("groups_of_8", "work-groups of 8, launched with 128", refusal="required work-group size"),
    Case("sub_groups_of_16", "sub-groups of 16"),
    Case("sub_groups_of_128", "sub-groups of 128", refusal=_DROPPED),
    Case("for_gpus", "aspect gpu", refusal=_DROPPED),
)

WITHOUT_REQUIREMENT = Case("for_gpus", "aspect gpu, removed from the file")
"""Shows that the runtime rejects the kernel only because of its requirement."""


FOR_CPUS = Case("plain", "nothing, built for x86_64 only")
FOR_A_GPU = Case("plain", "nothing, marked as built for intel_gpu_pvc only", refusal=_DROPPED)
"""Shows that the runtime reads the target of an image."""


@dataclass(frozen=True)
class Outcome:
    """The result of one case."""

    case: Case
    status: str
    """`ran`, `wrong` or `refused`; `missing` without a result."""
    message: str

    @property
    def expected(self) -> bool:
        """Whether the result is as expected."""
        if self.case.refusal:
            return self.status == "refused" and self.case.refusal in self.message
        return self.status == "ran"


def launch_kernels(runtime: IntelRuntime, folder: Path) -> list[Outcome]:
    """Build the SYCLBIN and the host program in `folder`, and run all cases."""
    folder.mkdir(parents=True, exist_ok=True)
    host = folder / "host"
    runtime.compile(SOURCES / "host.cpp", host)
    program = folder / "kernels.syclbin"
    build_program(SOURCES / "kernels.cpp", program)
    changed = folder / "without-requirement.syclbin"
    changed.write_bytes(without_requirements(program.read_bytes(), WITHOUT_REQUIREMENT.symbol))
    for_cpus = folder / "for-cpus.syclbin"
    build_program(SOURCES / "kernels.cpp", for_cpus, "-fsycl-targets=x86_64")
    for_a_gpu = folder / "for-a-gpu.syclbin"
    for_a_gpu.write_bytes(
        with_compile_target(for_cpus.read_bytes(), FOR_A_GPU.symbol, "intel_gpu_pvc")
    )
    return [
        *_run(runtime, host, program, CASES),
        *_run(runtime, host, changed, (WITHOUT_REQUIREMENT,)),
        *_run(runtime, host, for_cpus, (FOR_CPUS,)),
        *_run(runtime, host, for_a_gpu, (FOR_A_GPU,)),
    ]


def build_program(source: Path, program: Path, *words: str) -> None:
    """Build a SYCLBIN with the command line that users run."""
    command = [sys.executable, "-m", "dovetail", "c++", "-fsycl", "-fsyclbin", *words, source]
    subprocess.run([*command, "-o", program], check=True)


def with_compile_target(program: bytes, symbol: str, target: str) -> bytes:
    """Return the file with the image of a kernel marked as built for one target."""
    syclbin = read_program(program)
    modules: list[AbstractModule] = []
    for module in syclbin.abstract_modules:
        info = decode_info(module.metadata)
        if symbol in info.kernel_names:
            marked = replace(info, compile_target=target)
            module = replace(module, metadata=encode_info(marked))
        modules.append(module)
    return write_program(replace(syclbin, abstract_modules=tuple(modules)))


def without_requirements(program: bytes, symbol: str) -> bytes:
    """Return the file with the requirements of a kernel's image removed."""
    syclbin = read_program(program)
    modules = tuple(
        _without_requirements(module) if symbol in module.info.kernel_names else module
        for module in syclbin.abstract_modules
    )
    return write_program(replace(syclbin, abstract_modules=modules))


def _without_requirements(module: AbstractModule) -> AbstractModule:
    requirements = ("SYCL/device requirements", "SYCL/image-requirements")
    others = {name: each for name, each in module.metadata.items() if name not in requirements}
    return replace(module, metadata=others)


def _run(
    runtime: IntelRuntime, host: Path, program: Path, cases: tuple[Case, ...]
) -> list[Outcome]:
    finished = runtime.run(host, str(program), *(case.word for case in cases))
    lines = finished.stdout.splitlines()
    if finished.returncode != 0 or len(lines) != len(cases):
        message = f"the host program ended with status {finished.returncode}: {finished.stderr}"
        return [Outcome(case, "missing", message) for case in cases]
    symbols = _symbols(program)
    return [_outcome(case, line, symbols) for case, line in zip(cases, lines, strict=True)]


def _outcome(case: Case, line: str, symbols: set[str]) -> Outcome:
    if case.symbol not in symbols:
        return Outcome(case, "missing", f"'{case.symbol}' is not in the file")
    status, code, message = line.split("\t", 2)
    named = f"errc::{_ERROR_CODES[int(code)]}: {message}" if int(code) else message
    return Outcome(case, status, named)


def _symbols(program: Path) -> set[str]:
    modules = read_program(program.read_bytes()).abstract_modules
    return {symbol for module in modules for symbol in module.info.kernel_names}

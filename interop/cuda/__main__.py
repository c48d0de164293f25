"""Launch the kernels of this folder's sources on an NVIDIA GPU, from a program built by Dovetail.

Requires the driver, NumPy and the readers of Dovetail's formats, but no compiler:

    dovetail c++ -fsycl -fsyclbin -fsycl-targets=nvidia_gpu_sm_90 -o k interop/cuda/*.cpp
    PYTHONPATH=src python -m interop.cuda k

Prints a line for each launch. The exit status is 0 if all results are right, 1 if not, 2 if there
is no GPU.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from ctypes import c_uint64, c_void_p
from pathlib import Path

import numpy as np

from dovetail.image import AbstractModule, IRType, SyclBin, read_program
from dovetail.kernel_info import (
    ADDRESS_SIZE,
    LOCAL,
    KernelInfo,
    ParameterKind,
    inner_arguments,
)
from dovetail.targets import default_table
from interop.cuda.checks import Argument, Array, Check, KernelObject, all_checks
from interop.cuda.condition_checks import condition_checks
from interop.cuda.driver import Card, DriverError
from interop.cuda.math_checks import math_checks

_LOCAL_ALIGNMENT = 128


class MissingCode(Exception):
    """The program has no code for a kernel."""


def main() -> int:
    """Run all checks, or those of the named kernels."""
    parser = argparse.ArgumentParser(prog="python -m interop.cuda", description=__doc__)
    parser.add_argument("program", type=Path, help="a SYCLBIN")
    parser.add_argument("kernels", nargs="*", help="check only these kernels")
    parser.add_argument("--ptx", action="store_true", help="use PTX, which the driver compiles")
    options = parser.parse_args()
    try:
        card = Card()
    except (DriverError, OSError) as error:
        sys.stderr.write(f"interop.cuda: error: there is no NVIDIA GPU: {error}\n")
        return 2
    major, minor = card.capability
    print(f"{card.name}, sm_{major}{minor}", flush=True)
    runner = Runner(card, read_program(options.program.read_bytes()), options.ptx)
    target = default_table()[f"nvidia_gpu_sm_{major}{minor}"]
    every = (*math_checks(), *condition_checks(target), *all_checks())
    checks = [c for c in every if not options.kernels or c.kernel in options.kernels]
    verdicts = [report(check, runner) for check in checks]
    print(f"{verdicts.count(True)} of {len(verdicts)} right on {card.name}")
    return 0 if verdicts and all(verdicts) else 1


def report(check: Check, runner: Runner) -> bool:
    """Run one check and print its line."""
    print(f"{check.label}: ", end="", flush=True)
    try:
        right = check.judge(runner.run(check))
    except (DriverError, MissingCode) as error:
        runner.reset()
        print(f"FAILED: {error}", flush=True)
        return False
    print("right" if right else "WRONG", flush=True)
    return right


class Runner:
    """Finds the code of kernels in a program and launches them on a GPU."""

    def __init__(self, card: Card, program: SyclBin, use_ptx: bool) -> None:
        self._card = card
        self._use_ptx = use_ptx
        self._kernels = {
            kernel.name: (kernel, module)
            for module in program.abstract_modules
            for kernel in module.info.kernels
        }
        self._loaded: dict[int, c_void_p] = {}

    def reset(self) -> None:
        """Reset the GPU after a failure."""
        self._loaded.clear()
        self._card.reset()

    def run(self, check: Check) -> list[Array]:
        """Launch a check's kernel; return the array arguments after it."""
        if check.kernel not in self._kernels:
            raise MissingCode(f"the program has no kernel '{check.kernel}'")
        kernel, module = self._kernels[check.kernel]
        function = self._card.function(self._load(module), kernel.symbol)
        arrays = list(_arrays(check.arguments))
        addresses = [self._card.upload(array) for array in arrays]
        parameters, local_memory = _parameters(kernel, check.arguments, addresses)
        groups = [whole // part for whole, part in zip(check.shape, check.group, strict=True)]
        self._card.launch(
            function, _x_first(groups), _x_first(check.group), local_memory, parameters
        )
        results = [np.empty_like(array) for array in arrays]
        for address, result in zip(addresses, results, strict=True):
            self._card.download(address, result)
        return results

    def _load(self, module: AbstractModule) -> c_void_p:
        if id(module) not in self._loaded:
            self._loaded[id(module)] = self._card.load(self._code(module))
        return self._loaded[id(module)]

    def _code(self, module: AbstractModule) -> bytes:
        if self._use_ptx:
            codes = [ir.code for ir in module.ir_modules if ir.ir_type is IRType.PTX]
        else:
            # A cubin runs on its major architecture, from its minor version on.
            major, minor = self._card.capability
            fitting = {f"nvidia_gpu_sm_{major}{part}" for part in range(minor + 1)}
            codes = [image.code for image in module.native_images if fitting & {*image.targets}]
        if not codes:
            raise MissingCode("the program has no code for this GPU")
        return bytes(codes[-1])


def _x_first(sizes: Sequence[int]) -> tuple[int, ...]:
    """Return SYCL's dimensions in CUDA's order, padded to three."""
    return (*reversed(sizes), 1, 1)[:3]


def _arrays(arguments: Sequence[Argument]) -> Iterator[Array]:
    for argument in arguments:
        if isinstance(argument, np.ndarray):
            yield argument
        elif isinstance(argument, KernelObject):
            yield from (array for _, array in argument.pointers)


def _parameters(
    kernel: KernelInfo, arguments: Sequence[Argument], addresses: Sequence[c_uint64]
) -> tuple[list[bytes], int]:
    """Return the kernel's parameters as bytes, and the bytes of local memory that they need.

    Inner arguments follow all others: for a local accessor the 32-bit offset of its memory; for a
    pointer whose class has properties, the address that the object also contains.
    """
    left = iter(addresses)
    parameters: list[bytes] = []
    for parameter, argument in zip(kernel.parameters, arguments, strict=True):
        if isinstance(argument, KernelObject):
            content = bytearray(argument.content)
            for place, _ in argument.pointers:
                content[place : place + 8] = bytes(next(left))
            parameters.append(bytes(content))
        elif parameter.kind is ParameterKind.POINTER:
            parameters.append(bytes(next(left)))
        else:
            parameters.append(np.array(argument, parameter.encoding).tobytes())
        assert len(parameters[-1]) == parameter.size, f"{kernel.name}: {parameter.name}"
    objects = (argument for argument in arguments if isinstance(argument, KernelObject))
    sizes = iter([size for each in objects for size in each.local_sizes])
    local_memory = 0
    inner: list[bytes] = []
    for each in inner_arguments(kernel.parameters):
        if each.member.kind == LOCAL:
            inner.append(local_memory.to_bytes(4, "little"))
            local_memory += -(-next(sizes) // _LOCAL_ALIGNMENT) * _LOCAL_ALIGNMENT
        else:
            place = each.member.offset
            inner.append(parameters[each.parameter][place : place + ADDRESS_SIZE])
    return parameters + inner, local_memory


if __name__ == "__main__":
    sys.exit(main())

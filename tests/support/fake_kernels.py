"""Kernels of programs, run on the CPU by their SPIR-V for a mock GPU."""

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from dovetail.image import ImageInfo, IRType, read_program
from dovetail.kernel_info import LOCAL, KernelInfo, Parameter, ParameterKind, inner_arguments
from dovetail.runtime.backend import BackendDevice, BackendKernel, BackendProgram, Code, CodeKind
from dovetail.runtime.opencl import find_devices


def _accessor(symbol: str) -> Iterator[KernelInfo]:
    """Yield the kernel that copies device globals, which programs do not describe."""
    if symbol:
        kinds = (ParameterKind.POINTER, *[ParameterKind.SCALAR] * 5)
        parameters = (Parameter("", "", kind, 8, 8) for kind in kinds)
        yield KernelInfo(symbol, symbol, symbol, 1, tuple(parameters))


class CpuKernels:
    """Runs kernels with the arguments that a GPU gets."""

    def __init__(self) -> None:
        self._cpu: BackendDevice | None = None
        self._code: dict[str, tuple[KernelInfo, tuple[bytes, ...]]] = {}
        self._info: dict[bytes, ImageInfo] = {}
        self._built: dict[tuple[Code, ...], BackendProgram] = {}

    def add(self, program: bytes) -> None:
        """Add the kernels of a packaged program that also has SPIR-V."""
        modules = [
            (module.info, bytes(ir.code))
            for module in read_program(program).abstract_modules
            for ir in module.ir_modules
            if ir.ir_type is IRType.SPIRV
        ]
        for info, spirv in modules:
            self._info[spirv] = info
            others = [code for each, code in modules if {*info.imports} & {*each.exports}]
            for kernel in (*info.kernels, *_accessor(info.global_accessor)):
                self._code[kernel.symbol] = kernel, (spirv, *others)

    def pointers(self, symbol: str, values: Sequence[bytes]) -> list[int]:
        """Return the addresses among a kernel's arguments."""
        kinds = zip(self._code[symbol][0].parameters, values, strict=False)
        return [
            int.from_bytes(value, "little")
            for parameter, value in kinds
            if parameter.kind is ParameterKind.POINTER
        ]

    def run(
        self,
        symbol: str,
        values: Sequence[bytes],
        groups: Sequence[int],
        group: Sequence[int],
        local_memory: int,
        constants: Mapping[str, bytes],
    ) -> None:
        """Run a kernel and wait for it; `constants` are the GPU's specialization constants."""
        info, parts = self._code[symbol]
        code = tuple(self._specialized(spirv, constants) for spirv in parts)
        cpu = self._cpu = self._cpu or find_devices()[0]
        if code not in self._built:
            self._built[code] = cpu.build(code)
        kernel = self._built[code].kernel(symbol, follows_pointers=True)
        self._set(kernel, info, values, local_memory)
        whole = tuple(count * size for count, size in zip(groups, group, strict=True))
        queue = cpu.open_queue()
        queue.wait(queue.launch(kernel, whole, tuple(group)), True)

    def _specialized(self, spirv: bytes, constants: Mapping[str, bytes]) -> Code:
        values = [
            (spec_id, constants[each.identifier][offset : offset + size])
            for each in self._info[spirv].specialization_constants
            for spec_id, offset, size in each.scalars
        ]
        return Code(CodeKind.SPIRV, spirv, specialization=tuple(values))

    def _set(
        self, kernel: BackendKernel, info: KernelInfo, values: Sequence[bytes], local_memory: int
    ) -> None:
        cpu = cast(BackendDevice, self._cpu)
        for number, parameter in enumerate(info.parameters):
            if parameter.kind is ParameterKind.POINTER:
                address = int.from_bytes(values[number], "little")
                kernel.set_pointer(number, cpu.address_argument(address))
            else:
                kernel.set_bytes(number, values[number])
        ends = local_memory
        for each in reversed(inner_arguments(info.parameters)):
            value = int.from_bytes(values[each.number], "little")
            if each.member.kind == LOCAL:
                kernel.set_local(each.number, max(ends - value, 1))
                ends = value
            else:
                kernel.set_pointer(each.number, cpu.address_argument(value))

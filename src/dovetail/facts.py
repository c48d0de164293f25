"""What the clang plugin saw in one source, read from its facts file."""

import json
from dataclasses import dataclass
from typing import Any

from dovetail.errors import CompileError, FormatError
from dovetail.kernel_info import ENTRY_PREFIX, KernelInfo, Parameter, parameter_from_fields

ND_RANGE_KERNEL = "sycl-nd-range-kernel"
SINGLE_TASK_KERNEL = "sycl-single-task-kernel"
KERNEL_MARKS = (ND_RANGE_KERNEL, SINGLE_TASK_KERNEL)
"""The function properties that make a plain function a kernel."""

MOST_PARAMETERS = 255
"""SPIR-V's limit for a function."""

ENTRY_ATTRIBUTE = "dovetail-entry"
"""The attribute of a function in IR that says what its entry point is to be called."""


@dataclass(frozen=True)
class KernelFact:
    """One kernel as the source has it."""

    form: str
    """`function` for a plain function with a kernel mark, `entry` for a kernel entry point."""
    symbol: str
    name: str
    signature: str
    file: str
    line: int
    attributes: dict[str, str]
    parameters: tuple[Parameter, ...]
    internal: bool = False
    """Whether other sources may have another kernel of that name."""
    unit: str = ""
    """What tells its source from others."""

    @property
    def entry_symbol(self) -> str:
        """The name of the function that a device starts."""
        if self.form != "function":
            return self.symbol
        return ENTRY_PREFIX + self.symbol + (f".{self.unit}" if self.internal else "")

    def info(self, demangled: str) -> KernelInfo:
        """What the image will carry about the kernel; `demangled` is its symbol in words."""
        if len(self.parameters) > MOST_PARAMETERS:
            raise CompileError(
                f"{self.file}:{self.line}: error: kernel '{self.name}' has more than"
                f" {MOST_PARAMETERS} parameters"
            )
        return KernelInfo(
            symbol=self.entry_symbol,
            name=self.name,
            signature=self.signature,
            demangled=demangled,
            dimensions=self._dimensions(),
            parameters=self.parameters,
            file=self.file,
            line=self.line,
        )

    def _dimensions(self) -> int | None:
        if all(mark in self.attributes for mark in KERNEL_MARKS):
            raise CompileError(
                f"{self.file}:{self.line}: error: kernel '{self.name}' cannot both take a range"
                " and be a single task"
            )
        if ND_RANGE_KERNEL in self.attributes:
            return int(self.attributes[ND_RANGE_KERNEL])
        return 0 if SINGLE_TASK_KERNEL in self.attributes else None


@dataclass(frozen=True)
class Facts:
    """All that the plugin saw in one or several sources."""

    kernels: tuple[KernelFact, ...] = ()

    def joined(self, other: "Facts") -> "Facts":
        """The facts of two sources that are linked; a kernel both instantiate counts once."""
        known = {kernel.entry_symbol for kernel in self.kernels}
        added = tuple(kernel for kernel in other.kernels if kernel.entry_symbol not in known)
        return Facts(self.kernels + added)


def parse_facts(data: bytes, unit: str = "") -> Facts:
    """Read a facts file; `unit` tells its source from others."""
    try:
        document: dict[str, Any] = json.loads(data)
        return Facts(tuple(_kernel(fields, unit) for fields in document["kernels"]))
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise FormatError(f"this is no facts file: {error}") from None


def _kernel(fields: dict[str, Any], unit: str) -> KernelFact:
    parameters = tuple(parameter_from_fields(p) for p in fields.pop("parameters"))
    return KernelFact(parameters=parameters, unit=unit, **fields)

"""What the clang plugin saw in one source, read from its facts file.

The file is JSON that our own plugin has just written, so a malformed one is a bug, not bad input.
"""

import json
from dataclasses import dataclass
from typing import Any

from dovetail.kernel_info import ENTRY_PREFIX, KernelInfo, Parameter, parameter_from_fields

ND_RANGE_KERNEL = "sycl-nd-range-kernel"
SINGLE_TASK_KERNEL = "sycl-single-task-kernel"
KERNEL_MARKS = (ND_RANGE_KERNEL, SINGLE_TASK_KERNEL)
"""The function properties that make a plain function a kernel."""


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

    @property
    def entry_symbol(self) -> str:
        """The name of the function that a device starts."""
        return ENTRY_PREFIX + self.symbol if self.form == "function" else self.symbol

    def info(self) -> KernelInfo:
        """What the image will carry about the kernel."""
        return KernelInfo(
            symbol=self.entry_symbol,
            name=self.name,
            signature=self.signature,
            dimensions=self._dimensions(),
            parameters=self.parameters,
            file=self.file,
            line=self.line,
        )

    def _dimensions(self) -> int | None:
        if ND_RANGE_KERNEL in self.attributes:
            return int(self.attributes[ND_RANGE_KERNEL])
        return 0 if SINGLE_TASK_KERNEL in self.attributes else None


@dataclass(frozen=True)
class Facts:
    """All that the plugin saw in one or several sources."""

    kernels: tuple[KernelFact, ...] = ()

    def joined(self, other: "Facts") -> "Facts":
        """The facts of two sources that are linked; a kernel both instantiate counts once."""
        known = {kernel.symbol for kernel in self.kernels}
        added = tuple(kernel for kernel in other.kernels if kernel.symbol not in known)
        return Facts(self.kernels + added)


def parse_facts(data: bytes) -> Facts:
    """Read a facts file."""
    document: dict[str, Any] = json.loads(data)
    return Facts(tuple(_kernel(fields) for fields in document["kernels"]))


def _kernel(fields: dict[str, Any]) -> KernelFact:
    parameters = tuple(parameter_from_fields(p) for p in fields.pop("parameters"))
    return KernelFact(parameters=parameters, **fields)

"""The place of one argument in a kernel's parameter list, for messages that name it."""

from dataclasses import dataclass

from dovetail.errors import ArgumentError
from dovetail.kernel_info import KernelInfo, Parameter


@dataclass(frozen=True)
class Slot:
    """Parameter `index` of `kernel`."""

    kernel: KernelInfo
    index: int

    @property
    def parameter(self) -> Parameter:
        return self.kernel.parameters[self.index]

    def error(self, why: str, *, hint: str = "") -> ArgumentError:
        """What to raise when the argument does not fit."""
        what = f"'{self.parameter.name}' ({self.parameter.type})"
        where = f"argument {self.index + 1}, {what}, of kernel '{self.kernel.name}'"
        return ArgumentError(f"{where}: {why}", hint=hint)


def count_error(kernel: KernelInfo, given: int) -> ArgumentError:
    """What to raise when a kernel is given more or fewer arguments than it has parameters."""
    expected = len(kernel.parameters)
    listed = ", ".join(f"{p.type} {p.name}" for p in kernel.parameters)
    takes = f"kernel '{kernel.name}' takes {expected} arguments ({listed}), not {given}"
    if given > expected:
        return ArgumentError(f"{takes}: {given - expected} too many")
    missing = ", ".join(f"'{p.name}'" for p in kernel.parameters[given:])
    return ArgumentError(f"{takes}: {missing} missing")

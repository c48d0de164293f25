"""Parameters of kernels, errors that name them, and the explicit null pointer."""

from dataclasses import dataclass

from dovetail.errors import ArgumentError, ArgumentTypeError, ArgumentValueError
from dovetail.kernel_info import KernelInfo, Parameter


@dataclass(frozen=True)
class Slot:
    """Parameter `index` of `kernel`."""

    kernel: KernelInfo
    index: int

    @property
    def parameter(self) -> Parameter:
        return self.kernel.parameters[self.index]

    def error(self, why: str, *, hint: str = "", is_type: bool = False) -> ArgumentError:
        """Return the error for an argument whose value, or type, does not fit the parameter."""
        what = f"'{self.parameter.name}' ({self.parameter.type})"
        where = f"argument {self.index + 1}, {what}, of kernel '{self.kernel.name}'"
        kind = ArgumentTypeError if is_type else ArgumentValueError
        return kind(f"{where}: {why}", hint=hint)


def count_error(kernel: KernelInfo, given: int) -> ArgumentError:
    """Return the error for a wrong number of arguments."""
    expected = len(kernel.parameters)
    listed = ", ".join(f"{p.type} {p.name}" for p in kernel.parameters)
    counts = f"kernel '{kernel.name}': expected {expected} arguments ({listed}), got {given}"
    if given > expected:
        return ArgumentTypeError(counts)
    missing = ", ".join(f"'{p.name}'" for p in kernel.parameters[given:])
    return ArgumentTypeError(f"{counts}; missing: {missing}")


class NullPointer:
    """The type of `NULL`."""

    __slots__ = ()

    __name__ = "NULL"

    def __repr__(self) -> str:
        return "NULL"

    def __reduce__(self) -> str:
        return "NULL"


NULL = NullPointer()
"""A null pointer for a pointer parameter of a kernel: `None`, often a mistake, is refused."""

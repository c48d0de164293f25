"""Facts: the clang plugin's description of a source; `facts_json` reads and writes them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from dovetail.errors import CompileError
from dovetail.kernel_info import KernelInfo, Parameter
from dovetail.kernel_properties import (
    ENTRY_PREFIX,
    KERNEL_MARKS,
    ND_RANGE_KERNEL,
    SINGLE_TASK_KERNEL,
)

MAX_PARAMETERS = 255
"""SPIR-V's limit for a function."""

MAX_ASPECTS = 4096
"""Limit of aspect numbers, which bounds the size of sets of aspects in untrusted files."""

ENTRY_ATTRIBUTE = "dovetail-entry"
"""The attribute of an IR function with the name of its entry point."""

VARIABLE_USER = "__dovetail_variables"
"""The function in IR that uses variables with properties, so that clang emits them."""


@dataclass(frozen=True, slots=True)
class Place:
    """A position in a source."""

    file: str
    line: int
    """From 1; 0 if only the file is known."""
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}" if self.line else self.file


class Use(NamedTuple):
    """The use of an aspect in a function; `what` is, for example, `literal of type 'double'`."""

    aspect: int
    what: str
    place: Place


class Call(NamedTuple):
    """The first call of a function by another under a condition, or without one."""

    callee: int
    """The index of the callee among the functions of this source."""
    place: Place
    condition: tuple[int, ...] = ()
    """The condition on the device, if any: then the callee is a conditional caller, and all that is
    reachable from it is reachable only under this condition."""


class Violation(NamedTuple):
    """A construct in a function that SYCL forbids in device code."""

    rule: str
    """A short name, such as `throw` or `virtual-call`."""
    what: str
    """The problem, as printed in messages."""
    place: Place


class Reference(NamedTuple):
    """The use of a constant that refers to a variable that device code cannot access.

    It is an error only if the variable is still used after optimization. The fields are JSON keys
    of the facts file (docs/formats.md).
    """

    symbol: str
    """The symbol of the variable."""
    variable: str
    constant: str
    place: Place


class Declaration(NamedTuple):
    """The aspects that a function declares with `device_has`, as attribute or property."""

    attribute: str
    aspects: tuple[int, ...]
    place: Place
    """Of the attribute; for a property, whose place is unknown, of the function."""
    is_property: bool = False


class FunctionFact(NamedTuple):
    """A function that is reachable from device code: a definition, or only a declaration."""

    symbol: str
    name: str
    """As printed in messages, with namespaces and template arguments."""
    place: Place
    is_defined: bool
    is_external: bool
    """Whether it is SYCL_EXTERNAL."""
    is_internal: bool
    """Whether it has internal linkage, so other sources may use the symbol for another function."""
    attributes: dict[str, str]
    """Its function properties; empty in facts inside a module, which has them as attributes."""
    # The following come from attributes or, in their absence, from properties.
    declared: Declaration | None
    reqd_work_group_size: tuple[int, ...]
    """In source order; empty if none is required."""
    reqd_sub_group_size: int | None
    work_group_size_hint: tuple[int, ...]
    uses: tuple[Use, ...]
    """In source order, without the uses of functions that it calls."""
    calls: tuple[Call, ...]
    violations: tuple[Violation, ...]
    references: tuple[Reference, ...] = ()
    retained: tuple[int, ...] = ()
    """Aspects of its code that metadata marks as used, even if optimization removes the code; empty
    in facts inside a module, which has that metadata."""
    is_system: bool = False
    """Whether it is declared in a system header, such as one of the standard library."""


class ArgumentAttributes(NamedTuple):
    """The properties of one argument of a kernel."""

    parameter: int
    """The index of the parameter that is the argument or contains it."""
    member: int | None
    """The index of the member with an additional argument; None for the parameter itself."""
    attributes: dict[str, str]


class VariableFact(NamedTuple):
    """A global variable whose class has properties."""

    symbol: str
    name: str
    place: Place
    attributes: dict[str, str]


class KernelFact(NamedTuple):
    """A kernel in a source; the fields are JSON keys of the facts file (docs/formats.md)."""

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
    """Whether other sources may use its name for another kernel."""
    function: int | None = None
    """The index of the kernel's function among the functions of this source."""
    object_function: int | None = None
    """The index of the `operator()` of the kernel object; None for a plain function."""
    unit: str = ""
    """The unique prefix of its source."""
    argument_attributes: tuple[ArgumentAttributes, ...] = ()
    """The properties of its parameters and their members; empty in facts inside a module, which has
    them as attributes."""

    @property
    def entry_symbol(self) -> str:
        """The symbol of the entry point."""
        if self.form != "function":
            return self.symbol
        # All device assemblers accept a dollar sign in names; PTX does not accept a dot.
        return ENTRY_PREFIX + self.symbol + (f"${self.unit}" if self.internal else "")

    def info(self, demangled: str) -> KernelInfo:
        """Return the description of the kernel for images."""
        if len(self.parameters) > MAX_PARAMETERS:
            raise CompileError(
                f"{self.file}:{self.line}: error: kernel '{self.name}' has {len(self.parameters)}"
                f" parameters; at most {MAX_PARAMETERS} are allowed"
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
        """Return the dimensions that the marks of the kernel specify: see `KernelInfo`."""
        if all(mark in self.attributes for mark in KERNEL_MARKS):
            raise CompileError(
                f"{self.file}:{self.line}: error: kernel '{self.name}' cannot be both an nd-range"
                " kernel and a single task"
            )
        if ND_RANGE_KERNEL in self.attributes:
            return int(self.attributes[ND_RANGE_KERNEL])
        return 0 if SINGLE_TASK_KERNEL in self.attributes else None


class Facts(NamedTuple):
    """The facts about one or several sources."""

    kernels: tuple[KernelFact, ...] = ()
    functions: tuple[FunctionFact, ...] = ()
    variables: tuple[VariableFact, ...] = ()
    """Empty in facts inside a module, which has their properties as attributes."""


def join_facts(facts: Sequence[Facts]) -> Facts:
    """Join the facts of sources that are linked; kernels that several instantiate appear once.

    Functions appear once for each source, since declarations and definitions have different facts.
    """
    kernels: dict[str, KernelFact] = {}
    functions: list[FunctionFact] = []
    variables: list[VariableFact] = []
    for source in facts:
        start = len(functions)
        for kernel in source.kernels:
            kernels.setdefault(kernel.entry_symbol, _shifted_kernel(kernel, start))
        functions += [_shifted_function(function, start) for function in source.functions]
        variables += source.variables
    return Facts(tuple(kernels.values()), tuple(functions), tuple(variables))


def _shifted_kernel(kernel: KernelFact, by: int) -> KernelFact:
    if not by or kernel.function is None:
        return kernel
    inner = None if kernel.object_function is None else kernel.object_function + by
    return kernel._replace(function=kernel.function + by, object_function=inner)


def _shifted_function(function: FunctionFact, by: int) -> FunctionFact:
    if not by or not function.calls:
        return function
    calls = (Call(call.callee + by, call.place, call.condition) for call in function.calls)
    return function._replace(calls=tuple(calls))


def condition_lengths(facts: Facts) -> dict[str, int]:
    """Return the size of each conditional caller's condition, which is in its last parameters.

    Only facts have this: in IR, members of class parameters can look the same.
    """
    return {
        facts.functions[call.callee].symbol: len(call.condition)
        for function in facts.functions
        for call in function.calls
        if call.condition
    }

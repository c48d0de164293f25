"""What the clang plugin saw in one source; `facts_json` reads and writes it."""

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
"""Their numbers are below this, so that a set of them stays small whatever a file says."""

ENTRY_ATTRIBUTE = "dovetail-entry"
"""The attribute of a function in IR that says what its entry point is to be called."""

VARIABLE_USER = "__dovetail_variables"
"""The function in IR that the plugin has code generated for to get variables with properties."""


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
    """Where a function uses an aspect, and by what: `literal of type 'double'`."""

    aspect: int
    what: str
    place: Place


class Call(NamedTuple):
    """The first place where a function calls another, under each condition."""

    callee: int
    """The index of the function that is called, among the functions of this source."""
    place: Place
    condition: tuple[int, ...] = ()
    """On which devices the call is made, if not on all: then the callee is a conditional caller,
    and what it reaches is reached under this condition."""


class Violation(NamedTuple):
    """Something in a function that SYCL forbids in device code."""

    rule: str
    """A short name, such as `throw` or `virtual-call`."""
    what: str
    """What is wrong, as a message says it."""
    place: Place


class Reference(NamedTuple):
    """The use of a constant that refers to a variable which device code cannot use.

    It is an error only if the code needs the variable, which optimisation decides.
    """

    symbol: str
    """Of the variable."""
    variable: str
    constant: str
    place: Place


class Declaration(NamedTuple):
    """What a function promises by `device_has` or `requires`, an attribute or a property."""

    attribute: str
    aspects: tuple[int, ...]
    place: Place
    """Of the attribute; where a property was given is not known, and the function's stands here."""
    is_property: bool = False


class FunctionFact(NamedTuple):
    """One function that device code reaches: a definition, or a declaration without one."""

    symbol: str
    name: str
    """As a message spells it, with its namespaces and template arguments."""
    place: Place
    is_defined: bool
    is_external: bool
    """Whether it is SYCL_EXTERNAL."""
    is_internal: bool
    """Whether other sources may have another function of that symbol."""
    attributes: dict[str, str]
    """Its function properties; none where a module carries the facts, which has them itself."""
    # What follows is said by attributes or, where there is none, by properties.
    declared: Declaration | None
    reqd_work_group_size: tuple[int, ...]
    """As written; empty if none is required."""
    reqd_sub_group_size: int | None
    work_group_size_hint: tuple[int, ...]
    uses: tuple[Use, ...]
    """Its own, in the order of the source; not those of functions that it calls."""
    calls: tuple[Call, ...]
    violations: tuple[Violation, ...]
    references: tuple[Reference, ...] = ()
    retained: tuple[int, ...] = ()
    """The aspects that its code uses by marks, which no optimisation takes away; none where a
    module carries the facts, whose metadata has them."""


class ArgumentAttributes(NamedTuple):
    """The properties of one argument of a kernel."""

    parameter: int
    """The index of the parameter that is the argument, or that holds it."""
    member: int | None
    """The index of the part that needs an argument of its own; None for the parameter itself."""
    attributes: dict[str, str]


class VariableFact(NamedTuple):
    """One global variable whose class gives it properties."""

    symbol: str
    name: str
    place: Place
    attributes: dict[str, str]


class KernelFact(NamedTuple):
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
    function: int | None = None
    """The index of the function that is the kernel, among the functions of this source."""
    object_function: int | None = None
    """The index of the `operator()` of the kernel object; None for a plain function."""
    unit: str = ""
    """What tells its source from others."""
    argument_attributes: tuple[ArgumentAttributes, ...] = ()
    """The properties of its parameters and of what is in them, where there are any; none where a
    module carries the facts, which has them itself."""

    @property
    def entry_symbol(self) -> str:
        """The name of the function that a device starts."""
        if self.form != "function":
            return self.symbol
        # Assemblers of all devices take a dollar sign in names, but PTX no dot.
        return ENTRY_PREFIX + self.symbol + (f"${self.unit}" if self.internal else "")

    def info(self, demangled: str) -> KernelInfo:
        """What the image will carry about the kernel; `demangled` is its symbol in words."""
        if len(self.parameters) > MAX_PARAMETERS:
            raise CompileError(
                f"{self.file}:{self.line}: error: kernel '{self.name}' has more than"
                f" {MAX_PARAMETERS} parameters"
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


class Facts(NamedTuple):
    """All that the plugin saw in one or several sources."""

    kernels: tuple[KernelFact, ...] = ()
    functions: tuple[FunctionFact, ...] = ()
    variables: tuple[VariableFact, ...] = ()
    """None where a module carries the facts, which has their properties itself."""


def join_facts(facts: Sequence[Facts]) -> Facts:
    """The facts of sources that are linked; a kernel that several instantiate counts once.

    Functions stay one for each source that has them: what is promised here and done there differs.
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
    """For each conditional caller, by its symbol, how many of its last parameters are numbers.

    A module does not tell: where functions take classes in pieces, those may look the same.
    """
    return {
        facts.functions[call.callee].symbol: len(call.condition)
        for function in facts.functions
        for call in function.calls
        if call.condition
    }

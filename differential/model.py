"""The model of a random kernel: types, expressions, statements, functions and the kernel itself.

All parts are immutable, so that the shrinker can try a changed copy and keep the original. The
model knows types and structure, and leaves operators to format strings: `Operation("{0} + {1}",
…)`. That keeps the printer small and lets the shrinker treat all operations alike.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True)
class Scalar:
    """A scalar type."""

    name: str
    bits: int
    kind: str
    """"bool", "signed", "unsigned" or "floating"."""

    @property
    def is_integer(self) -> bool:
        return self.kind in ("signed", "unsigned")


@dataclass(frozen=True)
class Vector:
    """A vector type: `sycl::vec` or clang's vectors."""

    element: Scalar
    length: int

    @property
    def name(self) -> str:
        return f"Vec<{self.element.name}, {self.length}>"


@dataclass(frozen=True)
class Array:
    """An array of known length."""

    element: Scalar
    length: int


@dataclass(frozen=True)
class Pointer:
    """A pointer to at least `POINTER_LENGTH` read-only elements."""

    element: Scalar

    @property
    def name(self) -> str:
        return f"const {self.element.name} *"


POINTER_LENGTH = 4
"""The number of elements that can be read through every pointer."""


@dataclass(frozen=True)
class Field:
    """A member of a structure."""

    name: str
    type: Type


@dataclass(frozen=True)
class Struct:
    """A structure, defined before the functions that use it."""

    name: str
    fields: tuple[Field, ...]


Type: TypeAlias = Scalar | Vector | Array | Pointer | Struct


def has_pointer(type_: Type) -> bool:
    """Return whether a zero of this type contains a null pointer."""
    if isinstance(type_, Struct):
        return any(has_pointer(field.type) for field in type_.fields)
    return isinstance(type_, Pointer)


@dataclass(frozen=True)
class Literal:
    """A constant in C++ syntax."""

    text: str
    type: Scalar
    value: float


@dataclass(frozen=True)
class Variable:
    """A variable or parameter."""

    name: str
    type: Type
    mutable: bool = True


@dataclass(frozen=True)
class Operation:
    """An expression with operands: an operator, a member or element access, a call."""

    form: str
    operands: tuple[Expression, ...]
    type: Type
    function: str = ""
    """The name of the called function of the kernel, if any."""


Expression: TypeAlias = Literal | Variable | Operation


@dataclass(frozen=True)
class Declaration:
    """A variable with an initial value; zero by default."""

    variable: Variable
    initial: Expression | None = None


@dataclass(frozen=True)
class Assignment:
    """A store to a variable, element or member."""

    target: Expression
    value: Expression
    operator: str = "="


@dataclass(frozen=True)
class Pattern:
    """Some lines of C++ that are kept or removed as a whole.

    The form has placeholders for the targets, then for the operands.
    """

    form: str
    operands: tuple[Expression, ...] = ()
    targets: tuple[Variable, ...] = ()
    """Variables that are modified."""


@dataclass(frozen=True)
class If:
    """A branch; `otherwise` may be empty."""

    condition: Expression
    then: Body
    otherwise: Body = ()


@dataclass(frozen=True)
class Loop:
    """A loop whose number of iterations is bounded by a constant."""

    counter: Variable
    count: int
    body: Body
    step: int = 1
    style: str = "for"
    """"for", "while" or "do"."""
    condition: Expression | None = None
    """Ends the loop early when it is false."""


@dataclass(frozen=True)
class Switch:
    """A switch over small constants."""

    selector: Expression
    cases: tuple[Body, ...]
    default: Body = ()
    falls_through: bool = False


@dataclass(frozen=True)
class Jump:
    """`break` or `continue`, under a condition."""

    keyword: str
    condition: Expression


Statement: TypeAlias = Declaration | Assignment | Pattern | If | Loop | Switch | Jump
Body: TypeAlias = tuple[Statement, ...]


@dataclass(frozen=True)
class Parameter:
    """A parameter; classes can be passed by value, by reference or by pointer."""

    variable: Variable
    passing: str = "value"
    """"value", "reference" or "pointer"."""


@dataclass(frozen=True)
class Function:
    """A function of one kernel, which calls only functions before it."""

    name: str
    parameters: tuple[Parameter, ...]
    body: Body
    result: Expression
    inlined: bool


@dataclass(frozen=True)
class Phase:
    """The code of each work-item between two barriers."""

    body: Body


@dataclass(frozen=True)
class UniformLoop:
    """A loop with barriers, which all work-items of a group execute together."""

    counter: Variable
    count: int
    phases: tuple[Phase, ...]


@dataclass(frozen=True)
class Argument:
    """A parameter of the kernel that is passed by value, and the value."""

    variable: Variable
    value: Literal


INPUT_LENGTH = 64
COUNTERS = 8
"""The number of counters for atomic operations, one for each operation."""


@dataclass(frozen=True)
class Kernel:
    """A kernel with everything that it needs."""

    number: int
    input_seed: int
    input: Scalar
    output: Scalar
    outputs: int
    """The number of elements that each work-item writes."""
    groups: int
    group_size: int
    phases: tuple[Phase | UniformLoop, ...]
    structs: tuple[Struct, ...] = ()
    functions: tuple[Function, ...] = ()
    arguments: tuple[Argument, ...] = ()
    private: tuple[Declaration, ...] = ()
    """Variables of a work-item whose values are used across barriers."""
    local: Array | None = None
    """Local memory, initialized to zero, with an element for each work-item of a group."""
    is_range: bool = False
    """Whether it is launched over a `range` without groups, if the form of the source allows it."""
    constructs: frozenset[str] = frozenset()
    """The constructs that the generator used."""

    @property
    def items(self) -> int:
        return self.groups * self.group_size

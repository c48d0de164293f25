"""What the clang plugin saw in one source, read from its facts file or from a module's metadata."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, cast

from dovetail.errors import CompileError, FormatError
from dovetail.kernel_info import (
    KernelInfo,
    Parameter,
    check_kernel,
    inner_arguments,
    parameter_from_fields,
)
from dovetail.kernel_marks import ENTRY_PREFIX, KERNEL_MARKS, ND_RANGE_KERNEL, SINGLE_TASK_KERNEL
from dovetail.kernel_properties import KernelProperties, read_kernel_properties

MOST_PARAMETERS = 255
"""SPIR-V's limit for a function."""

MOST_ASPECTS = 4096
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


@dataclass(frozen=True, slots=True)
class Use:
    """Where a function uses an aspect, and by what: `literal of type 'double'`."""

    aspect: int
    what: str
    place: Place


@dataclass(frozen=True, slots=True)
class Call:
    """The first place where a function calls another, under each condition."""

    callee: int
    """The index of the function that is called, among the functions of this source."""
    place: Place
    condition: tuple[int, ...] = ()
    """On which devices the call is made, if not on all: then the callee is a conditional caller,
    and what it reaches is reached under this condition."""


@dataclass(frozen=True, slots=True)
class Violation:
    """Something in a function that SYCL forbids in device code."""

    rule: str
    """A short name, such as `throw` or `virtual-call`."""
    what: str
    """What is wrong, as a message says it."""
    place: Place


@dataclass(frozen=True, slots=True)
class Declaration:
    """What a function promises by `device_has` or `requires`, an attribute or a property."""

    attribute: str
    aspects: tuple[int, ...]
    place: Place
    """Of the attribute; where a property was given is not known, and the function's stands here."""
    is_property: bool = False


@dataclass(frozen=True, slots=True)
class FunctionFact:
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


class ArgumentAttributes(NamedTuple):
    """The properties of one argument of a kernel."""

    parameter: int
    """The index of the parameter that is the argument, or that holds it."""
    member: int | None
    """The index of the part that needs an argument of its own; None for the parameter itself."""
    attributes: dict[str, str]


@dataclass(frozen=True, slots=True)
class VariableFact:
    """One global variable whose class gives it properties."""

    symbol: str
    name: str
    place: Place
    attributes: dict[str, str]


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
    return replace(kernel, function=kernel.function + by, object_function=inner)


def _shifted_function(function: FunctionFact, by: int) -> FunctionFact:
    if not by or not function.calls:
        return function
    calls = (Call(call.callee + by, call.place, call.condition) for call in function.calls)
    return replace(function, calls=tuple(calls))


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


def parse_facts(data: bytes, unit: str = "") -> Facts:
    """Read a facts file; `unit` tells its source from others."""
    try:
        document: dict[str, Any] = json.loads(data)
        files: list[str] = document["files"]
        functions = tuple(_function(fields, files) for fields in document["functions"])
        kernels = tuple(_kernel(fields, unit) for fields in document["kernels"])
        variables = tuple(_variable(fields, files) for fields in document.get("variables", ()))
        _check_indices(kernels, functions)
        return Facts(kernels, _placed_in_users_code(functions, kernels), variables)
    except (ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError) as error:
        raise FormatError(f"this is no facts file: {error}") from None


def _kernel(fields: dict[str, Any], unit: str) -> KernelFact:
    described = fields.pop("parameters")
    given = tuple(_take_argument_attributes(described))
    parameters = tuple(parameter_from_fields(p) for p in described)
    fields.setdefault("unit", unit)
    kernel = KernelFact(parameters=parameters, argument_attributes=given, **fields)
    check_kernel(
        KernelInfo(
            kernel.symbol,
            kernel.name,
            kernel.signature,
            None,
            parameters,
            kernel.file,
            kernel.line,
        )
    )
    _check_argument_attributes(kernel)
    for text in (kernel.form, kernel.unit, *kernel.attributes, *kernel.attributes.values()):
        _text(text)
    for index in (kernel.function, kernel.object_function):
        if index is not None:
            _number(index)
    if kernel.attributes.get(ND_RANGE_KERNEL, "1") not in ("1", "2", "3"):
        raise ValueError(
            f"kernel '{kernel.name}' has '{kernel.attributes[ND_RANGE_KERNEL]}' dimensions"
        )
    return kernel


def _take_argument_attributes(
    parameters: Sequence[dict[str, Any]],
) -> Iterator[ArgumentAttributes]:
    """What descriptions of parameters have besides what a program carries along."""
    for number, parameter in enumerate(parameters):
        if "attributes" in parameter:
            yield ArgumentAttributes(number, None, _texts(parameter.pop("attributes")))
        for index, member in enumerate(parameter.get("members", ())):
            if "attributes" in member:
                yield ArgumentAttributes(number, index, _texts(member.pop("attributes")))


def _check_argument_attributes(kernel: KernelFact) -> None:
    arguments = {(each.parameter, each.place) for each in inner_arguments(kernel.parameters)}
    for given in kernel.argument_attributes:
        if given.member is not None and (given.parameter, given.member) not in arguments:
            raise ValueError(f"kernel '{kernel.name}' has properties of what is no argument")


def _variable(fields: dict[str, Any], files: Sequence[str]) -> VariableFact:
    return VariableFact(
        _text(fields["symbol"]),
        _text(fields["name"]),
        _place(fields["place"], files),
        _texts(fields["attributes"]),
    )


def _place(numbers: Sequence[int], files: Sequence[str]) -> Place:
    file, line, column = map(_number, numbers)
    return Place(_text(files[file]), line, column)


def _function(fields: dict[str, Any], files: Sequence[str]) -> FunctionFact:
    """Keys that say nothing are left out of the file."""

    def place(numbers: Sequence[int]) -> Place:
        return _place(numbers, files)

    name, where = _text(fields["name"]), place(fields["place"])
    attributes = _texts(fields.get("attributes", {}))
    properties = _properties(attributes, name, where)
    declared = fields.get("declared")
    sub_group_size = fields.get("reqd_sub_group_size")
    return FunctionFact(
        symbol=_text(fields["symbol"]),
        name=name,
        place=where,
        is_defined=bool(fields.get("defined")),
        is_external=bool(fields.get("external")),
        is_internal=bool(fields.get("internal")),
        attributes=attributes,
        declared=Declaration(
            _text(declared["attribute"]),
            tuple(map(_aspect, declared["aspects"])),
            place(declared["place"]),
            bool(declared.get("property")),
        )
        if declared
        else _declared_by_property(properties, where),
        reqd_work_group_size=_size(fields.get("reqd_work_group_size", ()))
        or properties.work_group_size,
        reqd_sub_group_size=(sub_group_size and _number(sub_group_size))
        or properties.sub_group_size,
        work_group_size_hint=_size(fields.get("work_group_size_hint", ()))
        or properties.work_group_size_hint,
        uses=tuple(
            Use(_aspect(u["aspect"]), _text(u["what"]), place(u["place"]))
            for u in fields.get("uses", ())
        ),
        calls=tuple(
            Call(_number(c["callee"]), place(c["place"]), _condition(c.get("condition", ())))
            for c in fields.get("calls", ())
        ),
        violations=tuple(
            Violation(_text(v["rule"]), _text(v["what"]), place(v["place"]))
            for v in fields.get("violations", ())
        ),
    )


def _properties(attributes: dict[str, str], name: str, place: Place) -> KernelProperties:
    try:
        return read_kernel_properties(attributes)
    except ValueError as error:
        raise CompileError(f"{place}: error: {error}, on '{name}'") from None


def _declared_by_property(properties: KernelProperties, place: Place) -> Declaration | None:
    if properties.aspects is None:
        return None
    aspects = tuple(map(_aspect, properties.aspects))
    return Declaration("device_has", aspects, place, is_property=True)


def _placed_in_users_code(
    functions: tuple[FunctionFact, ...], kernels: Sequence[KernelFact]
) -> tuple[FunctionFact, ...]:
    """Properties given to a call that starts a kernel lie on a function of our headers.

    The user's code is the kernel object's `operator()`.
    """
    moved: dict[int, FunctionFact] = {}
    for kernel in kernels:
        if kernel.function is None or kernel.object_function is None:
            continue
        entry = functions[kernel.function]
        if entry.declared and entry.declared.is_property:
            place = functions[kernel.object_function].place
            moved[kernel.function] = replace(entry, declared=replace(entry.declared, place=place))
    if not moved:
        return functions
    return tuple(moved.get(number, function) for number, function in enumerate(functions))


def _texts(values: Mapping[object, object]) -> dict[str, str]:
    return {_text(name): _text(value) for name, value in values.items()}


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    if not value.isascii():
        value.encode()  # JSON can hold halves of characters
    return value


def _number(value: object) -> int:
    if not isinstance(value, int) or not 0 <= value < 1 << 32:
        raise TypeError(f"{value!r} is no number")
    return value


def _aspect(value: object) -> int:
    number = _number(value)
    if number >= MOST_ASPECTS:
        raise ValueError(f"there is no aspect {number}")
    return number


def _condition(values: Sequence[object]) -> tuple[int, ...]:
    """The numbers alone; whether they make a condition is for others to say."""
    for value in values:
        if not isinstance(value, int) or not -(1 << 31) <= value < 1 << 31:
            raise TypeError(f"{value!r} is no number of a condition")
    return tuple(cast("Sequence[int]", values))


def _size(values: Sequence[object]) -> tuple[int, ...]:
    return tuple(map(_number, values))


def _check_indices(kernels: Sequence[KernelFact], functions: Sequence[FunctionFact]) -> None:
    indices = [call.callee for function in functions for call in function.calls]
    for kernel in kernels:
        indices += [i for i in (kernel.function, kernel.object_function) if i is not None]
    if not all(0 <= index < len(functions) for index in indices):
        raise ValueError("it names a function that it does not have")


def facts_text(facts: Facts) -> str:
    """The facts as `parse_facts` reads them, to travel inside a module; without violations.

    Nor properties of functions, parameters and variables, which are attributes there.
    """
    files: dict[str, int] = {}

    def numbers(place: Place) -> list[int]:
        return [files.setdefault(place.file, len(files)), place.line, place.column]

    functions = [_function_fields(function, numbers) for function in facts.functions]
    kernels = [_kernel_fields(kernel) for kernel in facts.kernels]
    document = {"files": list(files), "kernels": kernels, "functions": functions}
    # `asdict` would copy all of it first, which takes many times as long.
    return json.dumps(document, separators=(",", ":"), default=vars)


def _kernel_fields(kernel: KernelFact) -> dict[str, Any]:
    return {key: value for key, value in vars(kernel).items() if key != "argument_attributes"}


def _function_fields(
    function: FunctionFact, numbers: Callable[[Place], list[int]]
) -> dict[str, Any]:
    declared = function.declared
    fields: dict[str, Any] = {
        "symbol": function.symbol,
        "name": function.name,
        "place": numbers(function.place),
        "defined": function.is_defined,
        "external": function.is_external,
        "internal": function.is_internal,
        "declared": declared
        and {
            "attribute": declared.attribute,
            "aspects": declared.aspects,
            "place": numbers(declared.place),
            "property": declared.is_property,
        },
        "reqd_work_group_size": function.reqd_work_group_size,
        "reqd_sub_group_size": function.reqd_sub_group_size,
        "work_group_size_hint": function.work_group_size_hint,
        "uses": [
            {"aspect": use.aspect, "what": use.what, "place": numbers(use.place)}
            for use in function.uses
        ],
        "calls": [_call_fields(call, numbers) for call in function.calls],
    }
    return {key: value for key, value in fields.items() if value or key in _ALWAYS}


def _call_fields(call: Call, numbers: Callable[[Place], list[int]]) -> dict[str, Any]:
    fields = {"callee": call.callee, "place": numbers(call.place)}
    return {**fields, "condition": call.condition} if call.condition else fields


_ALWAYS = ("symbol", "name", "place")

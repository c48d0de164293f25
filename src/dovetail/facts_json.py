"""Facts as JSON, in the file that the clang plugin writes and in the metadata of a module.

Both are untrusted: everything is validated, and invalid content is a `FormatError`.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from dovetail.errors import CompileError, FormatError
from dovetail.facts import (
    MAX_ASPECTS,
    ArgumentAttributes,
    Call,
    Declaration,
    Facts,
    FunctionFact,
    KernelFact,
    Place,
    Reference,
    Use,
    VariableFact,
    Violation,
)
from dovetail.kernel_info import (
    JsonObject,
    KernelInfo,
    check_kernel,
    inner_arguments,
    parameter_from_fields,
)
from dovetail.kernel_properties import ND_RANGE_KERNEL, KernelProperties, read_kernel_properties

_REQUIRED_FIELDS = ("symbol", "name", "place")
"""Fields of a function that are written even if they are empty."""


def load_facts(path: Path, unit: str = "") -> Facts:
    """Return the facts in a file that the plugin has written; see `parse_facts`."""
    return parse_facts(path.read_bytes(), unit)


def parse_facts(data: bytes, unit: str = "") -> Facts:
    """Parse a facts file; `unit` is the unique prefix of its source."""
    try:
        document: JsonObject = json.loads(data)
        files: list[str] = document["files"]
        functions = tuple(_function(fields, files) for fields in document["functions"])
        kernels = tuple(_kernel(fields, unit) for fields in document["kernels"])
        variables = tuple(_variable(fields, files) for fields in document.get("variables", ()))
        _check_indices(kernels, functions)
        return Facts(kernels, _with_user_places(functions, kernels), variables)
    except (ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError) as error:
        raise FormatError(f"invalid facts file: {error}") from None


def _kernel(fields: JsonObject, unit: str) -> KernelFact:
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
        raise CompileError(
            f"{kernel.file}:{kernel.line}: error: kernel '{kernel.name}': expected 1, 2 or 3"
            f" dimensions, got '{kernel.attributes[ND_RANGE_KERNEL]}'"
        )
    return kernel


def _take_argument_attributes(parameters: Sequence[JsonObject]) -> Iterator[ArgumentAttributes]:
    """Remove and return the properties of arguments, which are not part of descriptions."""
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
            raise ValueError(
                f"kernel '{kernel.name}' has properties of a member that is not an argument"
            )


def _variable(fields: JsonObject, files: Sequence[str]) -> VariableFact:
    return VariableFact(
        _text(fields["symbol"]),
        _text(fields["name"]),
        _place(fields["place"], files),
        _texts(fields["attributes"]),
    )


def _place(numbers: Sequence[int], files: Sequence[str]) -> Place:
    file, line, column = map(_number, numbers)
    return Place(_text(files[file]), line, column)


def _function(fields: JsonObject, files: Sequence[str]) -> FunctionFact:
    # Fields with default values are not in the file.

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
        references=tuple(
            Reference(
                _text(r["symbol"]), _text(r["variable"]), _text(r["constant"]), place(r["place"])
            )
            for r in fields.get("references", ())
        ),
        retained=tuple(map(_aspect, fields.get("retained", ()))),
        is_system=bool(fields.get("system")),
    )


def _properties(attributes: dict[str, str], name: str, place: Place) -> KernelProperties:
    try:
        return read_kernel_properties(attributes)
    except ValueError as error:
        raise CompileError(f"{place}: error: function '{name}': {error}") from None


def _declared_by_property(properties: KernelProperties, place: Place) -> Declaration | None:
    if properties.aspects is None:
        return None
    unknown = [number for number in properties.aspects if number >= MAX_ASPECTS]
    if unknown:
        raise CompileError(
            f"{place}: error: there is no aspect {unknown[0]}, which is a value of property"
            " 'sycl-device-has'"
        )
    aspects = properties.aspects
    return Declaration("device_has", aspects, place, is_property=True)


def _with_user_places(
    functions: tuple[FunctionFact, ...], kernels: Sequence[KernelFact]
) -> tuple[FunctionFact, ...]:
    """Move the places of properties of kernel launches from the headers to the user's code.

    The headers apply them to a function of their own; the user's code is the kernel object's
    `operator()`.
    """
    moved: dict[int, FunctionFact] = {}
    for kernel in kernels:
        if kernel.function is None or kernel.object_function is None:
            continue
        entry = functions[kernel.function]
        if entry.declared and entry.declared.is_property:
            place = functions[kernel.object_function].place
            moved[kernel.function] = entry._replace(declared=entry.declared._replace(place=place))
    if not moved:
        return functions
    return tuple(moved.get(number, function) for number, function in enumerate(functions))


def _texts(values: Mapping[object, object]) -> dict[str, str]:
    return {_text(name): _text(value) for name, value in values.items()}


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"expected a string, got {value!r}")
    if not value.isascii():
        value.encode()  # JSON can hold unpaired surrogates, which UTF-8 cannot.
    return value


def _number(value: object) -> int:
    if not isinstance(value, int) or not 0 <= value < 1 << 32:
        raise TypeError(f"expected an unsigned 32-bit number, got {value!r}")
    return value


def _aspect(value: object) -> int:
    number = _number(value)
    if number >= MAX_ASPECTS:
        raise ValueError(f"there is no aspect {number}")
    return number


def _condition(values: Sequence[object]) -> tuple[int, ...]:
    """Check the numbers of a condition, but not whether they form a valid one."""
    return tuple(map(_signed_32, values))


def _signed_32(value: object) -> int:
    if not isinstance(value, int) or not -(1 << 31) <= value < 1 << 31:
        raise TypeError(f"expected a signed 32-bit number, got {value!r}")
    return value


def _size(values: Sequence[object]) -> tuple[int, ...]:
    return tuple(map(_unsigned_64, values))


def _unsigned_64(value: object) -> int:
    if not isinstance(value, int) or not 0 <= value < 1 << 64:
        raise TypeError(f"expected an unsigned 64-bit number, got {value!r}")
    return value


def _check_indices(kernels: Sequence[KernelFact], functions: Sequence[FunctionFact]) -> None:
    indices = [call.callee for function in functions for call in function.calls]
    for kernel in kernels:
        indices += [i for i in (kernel.function, kernel.object_function) if i is not None]
    if not all(0 <= index < len(functions) for index in indices):
        raise ValueError("the index of a function is out of range")


def facts_text(facts: Facts) -> str:
    """Serialize facts for a module.

    Violations, and what only earlier passes need, are omitted. So are properties of functions,
    parameters and variables, which are attributes in the module.
    """
    files: dict[str, int] = {}

    def numbers(place: Place) -> list[int]:
        return [files.setdefault(place.file, len(files)), place.line, place.column]

    functions = [_function_fields(function, numbers) for function in facts.functions]
    kernels = [_kernel_fields(kernel) for kernel in facts.kernels]
    document = {"files": list(files), "kernels": kernels, "functions": functions}
    # `asdict` is many times slower, because it copies everything.
    return json.dumps(document, separators=(",", ":"), default=vars)


def _kernel_fields(kernel: KernelFact) -> dict[str, object]:
    return {key: value for key, value in kernel._asdict().items() if key != "argument_attributes"}


def _function_fields(
    function: FunctionFact, numbers: Callable[[Place], list[int]]
) -> dict[str, object]:
    declared = function.declared
    fields: dict[str, object] = {
        "symbol": function.symbol,
        "name": function.name,
        "place": numbers(function.place),
        "defined": function.is_defined,
        "external": function.is_external,
        "internal": function.is_internal,
        "system": function.is_system,
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
        "references": [
            {**each._asdict(), "place": numbers(each.place)} for each in function.references
        ],
    }
    return {key: value for key, value in fields.items() if value or key in _REQUIRED_FIELDS}


def _call_fields(call: Call, numbers: Callable[[Place], list[int]]) -> Mapping[str, object]:
    fields = {"callee": call.callee, "place": numbers(call.place)}
    return {**fields, "condition": call.condition} if call.condition else fields

"""Convert the compile-time properties of an image to decorations and execution modes of SPIR-V.

Properties are attributes of kernels, parameters and variables, and annotations of pointers to
members. `representation.py` maps them to SPIR-V. Attributes that are listed in `!sycl_properties`
or known to Dovetail are removed; others are kept.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import TypeVar

from dovetail.device_metadata import GLOBAL_ID, GLOBAL_SIZE, IMAGE_SCOPE, PROPERTIES
from dovetail.errors import FormatError, IRError
from dovetail.ir import Module
from dovetail.kernel_properties import KERNEL_PROPERTIES
from dovetail.postlink.link import KERNEL_CONVENTIONS
from dovetail.postlink.representation import PropertyCarrier, is_represented, representation
from dovetail.spirv_metadata import (
    Decoration,
    execution_modes,
    format_annotation,
    parameter_decorations,
    set_execution_modes,
    set_parameter_decorations,
    set_variable_decorations,
    variable_decorations,
)

_ANNOTATION = "sycl-properties:"
"""The prefix of annotations with properties of a member."""

_DEFINITION = re.compile(r"((?:[^\\,=]|\\.)+)(?:=((?:[^\\,]|\\.)*))?", re.DOTALL)
"""A property in an annotation: its name, and optionally its value."""

_ESCAPED = re.compile(r"\\(.)", re.DOTALL)

_KEPT = (GLOBAL_SIZE, GLOBAL_ID, IMAGE_SCOPE)
"""Attributes of device globals that code generators need."""

_Key = TypeVar("_Key")


def property_names(module: Module) -> tuple[str, ...]:
    """Return the names of all properties of a module, listed by it or known to Dovetail."""
    known = KERNEL_PROPERTIES
    keys = module.string_attribute_keys()
    names = {key for key in keys if key in known or is_represented(key)}
    for node in module.named_metadata(PROPERTIES):
        match node:
            case [str() as name]:
                names.add(name)
            case _:
                raise IRError(f"{module.name}: !{PROPERTIES} does not contain names of properties")
    return tuple(sorted(names))


def represent_properties(module: Module, names: Collection[str]) -> None:
    """Convert the properties of an image; `names` are those of all properties."""
    _represent_on_kernels(module, names)
    _represent_on_parameters(module, names)
    _represent_on_variables(module, names)
    _represent_on_members(module)


def _represent_on_kernels(module: Module, names: Collection[str]) -> None:
    """Replace the attributes of functions by execution modes of kernels."""
    kernels = {
        function.name
        for function in module.functions()
        if function.calling_convention in KERNEL_CONVENTIONS
    }
    modes: list[tuple[str, Decoration]] = []
    for name, values in _attributes(names, module.function_attributes):
        module.set_function_attributes({function: {name: None} for function in values})
        for kernel in kernels & values.keys():
            mode = _decoration(module, name, values[kernel], PropertyCarrier.KERNEL, kernel)
            modes += [(kernel, mode)] if mode else []
    if modes:
        set_execution_modes(module, [*execution_modes(module), *sorted(modes)])


def _represent_on_parameters(module: Module, names: Collection[str]) -> None:
    """Replace the attributes of parameters by decorations."""
    found: dict[tuple[str, int], list[Decoration]] = {}
    for name, values in _attributes(names, module.parameter_attributes):
        module.set_parameter_attributes({parameter: {name: None} for parameter in values})
        for parameter, value in values.items():
            decoration = _decoration(module, name, value, PropertyCarrier.PARAMETER, parameter[0])
            if decoration:
                found.setdefault(parameter, []).append(decoration)
    if not found:
        return
    before = parameter_decorations(module)
    changed = {function for function, _ in found}
    decorations = {
        function.name: before.get(function.name, [[] for _ in function.parameter_types])
        for function in module.functions()
        if function.name in changed
    }
    for (function, index), added in found.items():
        decorations[function][index] += added
    set_parameter_decorations(module, decorations)


def _represent_on_variables(module: Module, names: Collection[str]) -> None:
    """Replace the attributes of variables by decorations; some attributes are kept too."""
    found: dict[str, list[Decoration]] = {}
    identifiers = module.global_variable_attributes(GLOBAL_ID)
    for name, values in _attributes(names, module.global_variable_attributes):
        if name not in _KEPT:
            module.set_global_variable_attributes({variable: {name: None} for variable in values})
        for variable, value in values.items():
            symbol = identifiers.get(variable) or variable
            decoration = _decoration(module, name, value, PropertyCarrier.VARIABLE, symbol)
            if decoration:
                found.setdefault(variable, []).append(decoration)
    if found:
        before = variable_decorations(module)
        set_variable_decorations(
            module, {variable: [*before.get(variable, []), *found[variable]] for variable in found}
        )


def _represent_on_members(module: Module) -> None:
    texts = [text for text in module.pointer_annotations() if text.startswith(_ANNOTATION)]
    if texts:
        module.set_pointer_annotations(
            {text: _represented_annotation(module, text) for text in texts}
        )


def _represented_annotation(module: Module, text: str) -> str | None:
    decorations = (
        _decoration(module, name, value, PropertyCarrier.MEMBER, "a member")
        for name, value in properties_in(text.removeprefix(_ANNOTATION))
    )
    return format_annotation(filter(None, decorations)) or None


def properties_in(text: str) -> Iterator[tuple[str, str]]:
    """Yield the names and values in an annotation, such as `foo,bar=32`.

    A backslash escapes commas, and equals signs in names.
    """
    for definition in _DEFINITION.finditer(text):
        yield _ESCAPED.sub(r"\1", definition[1]), _ESCAPED.sub(r"\1", definition[2] or "")


def _attributes(
    names: Collection[str], read: Callable[[str], Mapping[_Key, str]]
) -> Iterator[tuple[str, Mapping[_Key, str]]]:
    """Yield each property that is attached to something, with its values."""
    for name in names:
        values = read(name)
        if values:
            yield name, values


def _decoration(
    module: Module, name: str, value: str, place: PropertyCarrier, symbol: str
) -> Decoration | None:
    """Return how SPIR-V represents a property there, or None if it does not."""
    row = representation(name, place)
    try:
        return row and row.of(value, symbol)
    except FormatError as error:
        raise IRError(f"{module.name}: property '{name}' of '{symbol}': {error.message}") from None

"""Compile-time properties of an image, which leave it as what SPIR-V has for them.

They come as attributes of kernels, parameters and variables, and as annotations of pointers to
members. `representation.py` says what each becomes. What our front-end attached, of which
`!sycl_properties` has the names, is stripped; of other tools' attributes, those that we know.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import TypeVar

from dovetail.device_metadata import GLOBAL_ID, GLOBAL_SIZE, IMAGE_SCOPE, PROPERTIES
from dovetail.errors import FormatError, IRError
from dovetail.ir import Module
from dovetail.kernel_properties import KERNEL_PROPERTIES
from dovetail.postlink.link import KERNEL_CONVENTIONS
from dovetail.postlink.representation import Carrier, is_represented, representation
from dovetail.spirv_metadata import (
    Decoration,
    annotation_text,
    execution_modes,
    parameter_decorations,
    set_execution_modes,
    set_parameter_decorations,
    set_variable_decorations,
    variable_decorations,
)

_ANNOTATION = "sycl-properties:"
"""How the annotation of a member with properties begins."""

_DEFINITION = re.compile(r"((?:[^\\,=]|\\.)+)(?:=((?:[^\\,]|\\.)*))?", re.DOTALL)
"""Of a property in an annotation: its name, and its value if there is one."""

_ESCAPED = re.compile(r"\\(.)", re.DOTALL)

_KEPT = (GLOBAL_SIZE, GLOBAL_ID, IMAGE_SCOPE)
"""What says which variables are device globals; who makes code of images asks for it."""

_Key = TypeVar("_Key")


def property_names(module: Module) -> tuple[str, ...]:
    """Return the names of all properties of a module, sorted.

    Those that its sources have, and those that we know, whichever tool attached them.
    """
    known = KERNEL_PROPERTIES
    keys = module.string_attribute_keys()
    names = {key for key in keys if key in known or is_represented(key)}
    for node in module.named_metadata(PROPERTIES):
        match node:
            case [str() as name]:
                names.add(name)
            case _:
                raise IRError(f"{module.name}: !{PROPERTIES} does not have the names of properties")
    return tuple(sorted(names))


def represent_properties(module: Module, names: Collection[str]) -> None:
    """Turn the properties of an image into what SPIR-V has for them; `names` are all there are."""
    _represent_on_kernels(module, names)
    _represent_on_parameters(module, names)
    _represent_on_variables(module, names)
    _represent_on_members(module)


def _represent_on_kernels(module: Module, names: Collection[str]) -> None:
    kernels = {
        function.name
        for function in module.functions()
        if function.calling_convention in KERNEL_CONVENTIONS
    }
    modes: list[tuple[str, Decoration]] = []
    for name, values in _attributes(names, module.function_attributes):
        module.set_function_attributes({function: {name: None} for function in values})
        for kernel in kernels & values.keys():
            mode = _decoration(module, name, values[kernel], Carrier.KERNEL, kernel)
            modes += [(kernel, mode)] if mode else []
    if modes:
        set_execution_modes(module, [*execution_modes(module), *sorted(modes)])


def _represent_on_parameters(module: Module, names: Collection[str]) -> None:
    found: dict[tuple[str, int], list[Decoration]] = {}
    for name, values in _attributes(names, module.parameter_attributes):
        module.set_parameter_attributes({parameter: {name: None} for parameter in values})
        for parameter, value in values.items():
            mark = _decoration(module, name, value, Carrier.PARAMETER, parameter[0])
            if mark:
                found.setdefault(parameter, []).append(mark)
    if not found:
        return
    before = parameter_decorations(module)
    changed = {function for function, _ in found}
    decorations = {
        function.name: before.get(function.name, [[] for _ in function.parameter_types])
        for function in module.functions()
        if function.name in changed
    }
    for (function, index), marks in found.items():
        decorations[function][index] += marks
    set_parameter_decorations(module, decorations)


def _represent_on_variables(module: Module, names: Collection[str]) -> None:
    found: dict[str, list[Decoration]] = {}
    identifiers = module.global_variable_attributes(GLOBAL_ID)
    for name, values in _attributes(names, module.global_variable_attributes):
        if name not in _KEPT:
            module.set_global_variable_attributes({variable: {name: None} for variable in values})
        for variable, value in values.items():
            symbol = identifiers.get(variable) or variable
            mark = _decoration(module, name, value, Carrier.VARIABLE, symbol)
            if mark:
                found.setdefault(variable, []).append(mark)
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
    marks = (
        _decoration(module, name, value, Carrier.MEMBER, "a member")
        for name, value in properties_in(text.removeprefix(_ANNOTATION))
    )
    return annotation_text(filter(None, marks)) or None


def properties_in(text: str) -> Iterator[tuple[str, str]]:
    """The properties in the text of an annotation, such as `foo,bar=32`.

    A comma that is no separator has a backslash before it, as has an equals sign in a name.
    """
    for definition in _DEFINITION.finditer(text):
        yield _ESCAPED.sub(r"\1", definition[1]), _ESCAPED.sub(r"\1", definition[2] or "")


def _attributes(
    names: Collection[str], read: Callable[[str], Mapping[_Key, str]]
) -> Iterator[tuple[str, Mapping[_Key, str]]]:
    """Those properties that something has, and who has them with which value."""
    for name in names:
        values = read(name)
        if values:
            yield name, values


def _decoration(
    module: Module, name: str, value: str, place: Carrier, symbol: str
) -> Decoration | None:
    row = representation(name, place)
    try:
        return row and row.of(value, symbol)
    except FormatError as error:
        raise IRError(
            f"{module.name}: '{symbol}' has the property '{name}', and {error.message}"
        ) from None

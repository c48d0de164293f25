"""What functions of an image use on some devices alone.

"Dovetail/conditional calls" has for each kernel, exported function and action what it calls under
conditions, in its add-ons or in the image itself. In the latter case, what the action requires
stands in "Dovetail/function reqs", and "Dovetail/conditional imports" has what actions alone
import. Where all kernels of such an image use the same aspects under the same conditions,
"SYCL/device requirements" says that too, in pairs `condition-N` and `conditional-aspects-N`.
"""

from collections.abc import Iterable, Mapping, Sequence
from struct import Struct
from typing import TYPE_CHECKING, NamedTuple

from dovetail import conditions
from dovetail.errors import FormatError
from dovetail.image.conditional_sets import (
    CONDITION,
    CONDITIONAL_CALLS_SET,
    CONDITIONAL_IMPORTS_SET,
)
from dovetail.image.property_sets import PropertySets
from dovetail.image.requirements import DEVICE_REQUIREMENTS_SET
from dovetail.image.typed_set import SetReader, SetWriter

if TYPE_CHECKING:
    from dovetail.conditions import Condition

_ASPECTS = "conditional-aspects-"
_LENGTHS = Struct("<II")
"""Of a condition and of a symbol, in bytes, which follow."""


class ConditionalCall(NamedTuple):
    """A call that is made where a condition holds."""

    condition: "Condition"
    action: str
    """The symbol of what is called."""


def conditional_call_properties(
    calls: Mapping[str, Sequence[ConditionalCall]],
) -> dict[str, int | bytes]:
    """What goes into "Dovetail/conditional calls", by the caller's symbol."""
    return {caller: b"".join(map(_packed, made)) for caller, made in calls.items() if made}


def conditional_calls_of(sets: PropertySets) -> dict[str, tuple[ConditionalCall, ...]]:
    """The conditional calls of an image by caller; without functions that make none."""
    source = SetReader(CONDITIONAL_CALLS_SET, sets)
    return {caller: tuple(_unpacked(source, caller)) for caller in source}


def _packed(call: ConditionalCall) -> bytes:
    condition, action = conditions.condition_to_bytes(call.condition), call.action.encode()
    return _LENGTHS.pack(len(condition), len(action)) + condition + action


def _unpacked(source: SetReader, caller: str) -> Iterable[ConditionalCall]:
    data = source.data(caller)
    place = 0
    while place < len(data):
        begin = place + _LENGTHS.size
        if begin > len(data):
            raise source.error(caller, "ends within a call")
        condition, action = _LENGTHS.unpack_from(data, place)
        place = begin + condition + action
        if place > len(data):
            raise source.error(caller, "ends within a call")
        try:
            yield ConditionalCall(
                conditions.condition_from_bytes(data[begin : begin + condition]),
                data[begin + condition : place].decode(),
            )
        except (FormatError, UnicodeDecodeError) as error:
            raise source.error(caller, str(error)) from None


_BETWEEN = "\n"
"""What separates symbols."""


def conditional_import_properties(imports: Mapping[str, Sequence[str]]) -> dict[str, int | bytes]:
    """What goes into "Dovetail/conditional imports": by action, what nothing else may import."""
    into = SetWriter(CONDITIONAL_IMPORTS_SET)
    for action, symbols in imports.items():
        if symbols:
            into.add_text(action, _BETWEEN.join(symbols))
    return into.properties


def conditional_imports_of(sets: PropertySets) -> dict[str, tuple[str, ...]]:
    """By action, those of an image's imports that are needed only where actions are called."""
    source = SetReader(CONDITIONAL_IMPORTS_SET, sets)
    return {action: tuple(source.text(action).split(_BETWEEN)) for action in source}


ConditionalAspects = Mapping["Condition", tuple[int, ...]]
"""By condition, the aspects that are used where it holds."""


def conditional_aspect_properties(uses: ConditionalAspects) -> dict[str, int | bytes]:
    """What joins "SYCL/device requirements"."""
    into = SetWriter(DEVICE_REQUIREMENTS_SET)
    for number, (condition, aspects) in enumerate(uses.items()):
        into.properties[f"{CONDITION}{number}"] = conditions.condition_to_bytes(condition)
        into.add_array(f"{_ASPECTS}{number}", aspects, "I")
    return into.properties


def conditional_aspects_of(sets: PropertySets) -> ConditionalAspects:
    """The pairs in "SYCL/device requirements"; none for most images."""
    source = SetReader(DEVICE_REQUIREMENTS_SET, sets)
    found: dict[Condition, tuple[int, ...]] = {}
    for key in source:
        if not key.startswith(CONDITION):
            continue
        partner = _ASPECTS + key.removeprefix(CONDITION)
        if partner not in source:
            raise source.error(key, f"there is no '{partner}'")
        try:
            condition = conditions.condition_from_bytes(source.data(key))
        except FormatError as error:
            raise source.error(key, error.message) from None
        found[condition] = (*found.get(condition, ()), *source.array(partner, "I"))
    return found

"""Conditional calls, imports and aspects: what functions of an image use on some devices only.

One set lists, for each kernel, exported function and action, its conditional calls into add-ons or
within the image. For calls within the image, the requirements of the action are stored with those
of other functions, and a second set lists the symbols that only actions import. If all kernels of
such an image use the same aspects under the same conditions, the device requirements have these
too, in pairs `condition-N` and `conditional-aspects-N`.
"""

from collections.abc import Iterable, Mapping
from struct import Struct
from typing import TYPE_CHECKING, NamedTuple

from dovetail import conditions
from dovetail.errors import FormatError
from dovetail.image.typed_set import Codec, SetReader, SetWriter

if TYPE_CHECKING:
    from dovetail.conditions import Condition

_CONDITION = "condition-"
_ASPECTS = "conditional-aspects-"
_LENGTHS = Struct("<II")
"""Sizes in bytes of the condition and the symbol, which follow."""


class ActionCall(NamedTuple):
    """A call that is made on devices for which a condition holds."""

    condition: "Condition"
    action: str
    """The symbol of the callee."""


ConditionalCalls = Mapping[str, tuple[ActionCall, ...]]
"""Calls by the symbol of the caller."""


def _encode_calls(into: SetWriter, calls: ConditionalCalls) -> None:
    for caller, made in calls.items():
        if made:
            into.add_data(caller, b"".join(map(_packed, made)))


def _decode_calls(source: SetReader) -> ConditionalCalls:
    return {caller: tuple(_unpacked(source, caller)) for caller in source}


def _packed(call: ActionCall) -> bytes:
    condition, action = conditions.condition_to_bytes(call.condition), call.action.encode()
    return _LENGTHS.pack(len(condition), len(action)) + condition + action


def _unpacked(source: SetReader, caller: str) -> Iterable[ActionCall]:
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
            yield ActionCall(
                conditions.condition_from_bytes(data[begin : begin + condition]),
                data[begin + condition : place].decode(),
            )
        except (FormatError, UnicodeDecodeError) as error:
            raise source.error(caller, str(error)) from None


_SEPARATOR = "\n"
"""Between symbols."""


def _encode_imports(into: SetWriter, imports: Mapping[str, tuple[str, ...]]) -> None:
    for action, symbols in imports.items():
        if symbols:
            into.add_text(action, _SEPARATOR.join(symbols))


def _decode_imports(source: SetReader) -> Mapping[str, tuple[str, ...]]:
    return {action: tuple(source.text(action).split(_SEPARATOR)) for action in source}


ConditionalAspects = Mapping["Condition", tuple[int, ...]]
"""The aspects that are used where a condition holds, by condition."""


def _encode_aspects(into: SetWriter, uses: ConditionalAspects) -> None:
    for number, (condition, aspects) in enumerate(uses.items()):
        into.add_data(f"{_CONDITION}{number}", conditions.condition_to_bytes(condition))
        into.add_array(f"{_ASPECTS}{number}", aspects, "I")


def _decode_aspects(source: SetReader) -> ConditionalAspects:
    found: dict[Condition, tuple[int, ...]] = {}
    for key in source:
        if not key.startswith(_CONDITION):
            continue
        partner = _ASPECTS + key.removeprefix(_CONDITION)
        if partner not in source:
            raise source.error(key, f"there is no '{partner}'")
        try:
            condition = conditions.condition_from_bytes(source.data(key))
        except FormatError as error:
            raise source.error(key, error.message) from None
        found[condition] = (*found.get(condition, ()), *source.array(partner, "I"))
    return found


CALLS = Codec(_encode_calls, _decode_calls)
IMPORTS = Codec(_encode_imports, _decode_imports)
ASPECTS = Codec(_encode_aspects, _decode_aspects)

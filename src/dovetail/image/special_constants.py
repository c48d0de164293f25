"""The specialization constants in conditional code that describe the device.

Code for several devices has boolean specialization constants for the requirements of its kernels
and for the aspects and architectures in conditions. The former are stored with the requirements of
functions; the latter have a separate set with pairs of `SpecId` and number.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from dovetail import conditions
from dovetail.errors import FormatError
from dovetail.image.info import ImageInfo
from dovetail.image.requirements import Requirements
from dovetail.image.typed_set import Codec, SetReader, SetWriter

if TYPE_CHECKING:
    # Most programs have no conditions and need not load this package.
    from dovetail.conditions import Condition

_KEYS = {"aspects": -1, "architectures": -2}
"""By key, the first word of a condition on one aspect or architecture: `conditions.ASPECT` and
`conditions.ARCHITECTURE`."""


class Constants(NamedTuple):
    """The constants of an image by `SpecId`; several may have the same meaning."""

    required: Mapping[int, Requirements]
    """For each, the single requirement that it tests."""
    asked: "Mapping[int, Condition]"
    """For each, the aspect or architecture that it tests."""

    def values(
        self, meets: Callable[[Requirements], bool], satisfies: "Callable[[Condition], bool]"
    ) -> dict[int, bool]:
        """Return the values by `SpecId` for the device that the two predicates describe."""
        return {
            **{spec_id: meets(single) for spec_id, single in self.required.items()},
            **{spec_id: satisfies(leaf) for spec_id, leaf in self.asked.items()},
        }


def constants_of(info: ImageInfo) -> Constants:
    """Return the constants in an image's code according to its description."""
    functions = {**info.function_reqs, **info.kernel_reqs}
    required = {i: single for reqs in functions.values() for single, i in reqs.items()}
    return Constants(required, info.asked)


def _encode(into: SetWriter, asked: "Mapping[int, Condition]") -> None:
    for key, kind in _KEYS.items():
        pairs = sorted((i, leaf[1]) for i, leaf in asked.items() if leaf[0] == kind)
        if pairs:
            into.add_array(key, tuple(word for pair in pairs for word in pair), "I")


def _decode(source: SetReader) -> "Mapping[int, Condition]":
    found: dict[int, Condition] = {}
    for key, kind in _KEYS.items():
        words = source.array(key, "I")
        if len(words) % 2:
            raise source.error(key, f"expected pairs, got {len(words)} numbers")
        for spec_id, number in zip(words[::2], words[1::2], strict=True):
            try:
                found[spec_id] = conditions.read_condition((kind, number))
            except FormatError as error:
                raise source.error(key, error.message) from None
    return found


ASKED = Codec(_encode, _decode)

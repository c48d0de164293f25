"""The constants in conditional code that say what a device has and is.

Code for several devices has boolean specialization constants for what its kernels require and for
what conditions ask. What functions require comes with the `SpecId`s of the former; the latter have
a set of their own: pairs of `SpecId` and number.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from dovetail import conditions
from dovetail.errors import FormatError
from dovetail.image.info import ImageInfo
from dovetail.image.requirements import Requirements
from dovetail.image.typed_set import Codec, SetReader, SetWriter

if TYPE_CHECKING:
    # Most programs have no conditions, and need not load what reads them.
    from dovetail.conditions import Condition

_KEYS = {"aspects": -1, "architectures": -2}
"""By key, what an expression of one aspect or architecture begins with: `conditions.ASPECT` and
`conditions.ARCHITECTURE`."""


class Constants(NamedTuple):
    """The constants of an image by their `SpecId`s; several may stand for the same."""

    required: Mapping[int, Requirements]
    """Each stands for a single thing that functions require."""
    asked: "Mapping[int, Condition]"
    """Each stands for an aspect or an architecture that conditions name."""

    def values(
        self, meets: Callable[[Requirements], bool], satisfies: "Callable[[Condition], bool]"
    ) -> dict[int, bool]:
        """By `SpecId`, for a device that tells what it has and is."""
        return {
            **{spec_id: meets(single) for spec_id, single in self.required.items()},
            **{spec_id: satisfies(leaf) for spec_id, leaf in self.asked.items()},
        }


def constants_of(info: ImageInfo) -> Constants:
    """Return the constants that an image says its code has; none for most images."""
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
            raise source.error(key, f"{len(words)} numbers are no pairs")
        for spec_id, number in zip(words[::2], words[1::2], strict=True):
            try:
                found[spec_id] = conditions.read_condition((kind, number))
            except FormatError as error:
                raise source.error(key, error.message) from None
    return found


ASKED = Codec(_encode, _decode)

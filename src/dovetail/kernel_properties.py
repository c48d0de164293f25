"""Properties of functions that say what a kernel requires, as attributes of SYCL do.

The front-end knows no property by its name: it hands all of them on, with their values as text.
Here those get a meaning for which there is an attribute as well. What is compiled from C++ has them
in its facts, IR of other tools as attributes; `device_metadata.py` has the metadata that both get.
"""

from collections.abc import Mapping
from typing import NamedTuple

DEVICE_HAS = "sycl-device-has"
WORK_GROUP_SIZE = "sycl-work-group-size"
WORK_GROUP_SIZE_HINT = "sycl-work-group-size-hint"
SUB_GROUP_SIZE = "sycl-sub-group-size"
KERNEL_PROPERTIES = (DEVICE_HAS, WORK_GROUP_SIZE, WORK_GROUP_SIZE_HINT, SUB_GROUP_SIZE)

# What makes a plain function a kernel, and how its entry point is called.
ND_RANGE_KERNEL = "sycl-nd-range-kernel"
SINGLE_TASK_KERNEL = "sycl-single-task-kernel"
KERNEL_MARKS = (ND_RANGE_KERNEL, SINGLE_TASK_KERNEL)

ENTRY_PREFIX = "__sycl_kernel_"
"""The entry point of a kernel written as a plain function is named so, as in DPC++."""

_DIMENSIONS = 3
_MAX_NUMBER = (1 << 32) - 1
_MAX_WORK_GROUP_SIZE = (1 << 64) - 1
_MAX_DIGITS = len(str(_MAX_WORK_GROUP_SIZE))


class KernelProperties(NamedTuple):
    """What properties require; nothing, if there are none of these."""

    aspects: tuple[int, ...] | None = None
    work_group_size: tuple[int, ...] = ()
    """As written, in SYCL's order of dimensions."""
    work_group_size_hint: tuple[int, ...] = ()
    sub_group_size: int | None = None


_NOTHING = KernelProperties()


def read_kernel_properties(attributes: Mapping[str, str]) -> KernelProperties:
    """What a function's properties require; a ValueError says which of them means nothing."""
    if not attributes:
        return _NOTHING
    return KernelProperties(
        _aspects(attributes.get(DEVICE_HAS)),
        _sizes(attributes, WORK_GROUP_SIZE, _DIMENSIONS, _MAX_WORK_GROUP_SIZE),
        _sizes(attributes, WORK_GROUP_SIZE_HINT, _DIMENSIONS, _MAX_WORK_GROUP_SIZE),
        next(iter(_sizes(attributes, SUB_GROUP_SIZE, 1, _MAX_NUMBER)), None),
    )


def _aspects(text: str | None) -> tuple[int, ...] | None:
    if not text:
        return None if text is None else ()
    return _numbers(DEVICE_HAS, text, _MAX_NUMBER)


def _sizes(
    attributes: Mapping[str, str], name: str, dimensions: int, largest: int
) -> tuple[int, ...]:
    if name not in attributes:
        return ()
    sizes = _numbers(name, attributes[name], largest)
    if len(sizes) > dimensions or 0 in sizes:
        raise _meaningless(name, attributes[name])
    return sizes


def _numbers(name: str, text: str, largest: int) -> tuple[int, ...]:
    words = text.split(",")
    # A number of more digits is too great anyway, and would take long to read.
    if not all(word.isascii() and word.isdecimal() and len(word) <= _MAX_DIGITS for word in words):
        raise _meaningless(name, text)
    numbers = tuple(map(int, words))
    if max(numbers) > largest:
        raise _meaningless(name, text)
    return numbers


def _meaningless(name: str, text: str) -> ValueError:
    what = {
        DEVICE_HAS: "numbers of aspects, with commas between them",
        SUB_GROUP_SIZE: "a size",
    }
    expected = what.get(name, "one to three sizes, with commas between them")
    return ValueError(f"property '{name}' has the value '{text}'; it takes {expected}")

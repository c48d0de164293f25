"""Function properties that are equivalent to SYCL's kernel attributes.

The front-end passes on all properties by name, with their values as text. This module interprets
the ones for which SYCL has an attribute. They come from the facts of C++ sources, or from function
attributes in IR of other tools; `device_metadata.py` has the metadata for both.
"""

from collections.abc import Mapping
from typing import NamedTuple

DEVICE_HAS = "sycl-device-has"
WORK_GROUP_SIZE = "sycl-work-group-size"
WORK_GROUP_SIZE_HINT = "sycl-work-group-size-hint"
SUB_GROUP_SIZE = "sycl-sub-group-size"
KERNEL_PROPERTIES = (DEVICE_HAS, WORK_GROUP_SIZE, WORK_GROUP_SIZE_HINT, SUB_GROUP_SIZE)

# The properties that make a plain function a kernel.
ND_RANGE_KERNEL = "sycl-nd-range-kernel"
SINGLE_TASK_KERNEL = "sycl-single-task-kernel"
KERNEL_MARKS = (ND_RANGE_KERNEL, SINGLE_TASK_KERNEL)

ENTRY_PREFIX = "__sycl_kernel_"
"""The prefix of the entry point of a kernel that is a plain function, as in DPC++."""

_DIMENSIONS = 3
_MAX_NUMBER = (1 << 32) - 1
_MAX_WORK_GROUP_SIZE = (1 << 64) - 1
_MAX_DIGITS = len(str(_MAX_WORK_GROUP_SIZE))


class KernelProperties(NamedTuple):
    """The requirements in a function's properties."""

    aspects: tuple[int, ...] | None = None
    work_group_size: tuple[int, ...] = ()
    """As written, in SYCL's order of dimensions."""
    work_group_size_hint: tuple[int, ...] = ()
    sub_group_size: int | None = None


_NONE = KernelProperties()


def read_kernel_properties(attributes: Mapping[str, str]) -> KernelProperties:
    """Return the requirements in a function's properties; `ValueError` if a value is invalid."""
    if not attributes:
        return _NONE
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
    """Return the sizes in an attribute, none if it is absent; raise an error if one is invalid."""
    if name not in attributes:
        return ()
    sizes = _numbers(name, attributes[name], largest)
    if len(sizes) > dimensions or 0 in sizes:
        raise _invalid(name, attributes[name])
    return sizes


def _numbers(name: str, text: str, largest: int) -> tuple[int, ...]:
    words = text.split(",")
    # A number with more digits is too large, and slow to convert.
    if not all(word.isascii() and word.isdecimal() and len(word) <= _MAX_DIGITS for word in words):
        raise _invalid(name, text)
    numbers = tuple(map(int, words))
    if max(numbers) > largest:
        raise _invalid(name, text)
    return numbers


def _invalid(name: str, text: str) -> ValueError:
    expected = {
        DEVICE_HAS: "comma-separated numbers of aspects",
        SUB_GROUP_SIZE: "a size",
    }.get(name, "one to three comma-separated sizes")
    return ValueError(f"property '{name}': expected {expected}, got '{text}'")

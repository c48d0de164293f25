"""Checking that the elements of an array match the pointee type of a kernel's pointer.

A pointer to a number accepts arrays of exactly that type. A pointer to a class accepts structured
arrays of the same layout, and arrays of numbers whose size is a multiple of the class's. Where
the layout is unknown or there is none (`void *`), any array is accepted.
"""

from collections.abc import Callable, Iterator
from math import prod
from typing import TypeAlias

import numpy as np

from dovetail.kernel_info import Parameter
from dovetail.runtime.number_encoding import ENCODINGS
from dovetail.runtime.slot import Slot

_Number: TypeAlias = tuple[int, str, int]
"""Offset, type code and count."""

CheckElements: TypeAlias = Callable[[np.dtype[np.generic], int], None]
"""Given an array's element type and size in bytes, raises `ArgumentError` if they do not fit."""


def element_check(slot: Slot) -> CheckElements:
    """Return the check for one parameter."""
    parameter = slot.parameter
    if parameter.encoding in ENCODINGS:
        return _number_check(slot, np.dtype(parameter.encoding))
    if parameter.pointee_size:
        return _object_check(slot, parameter)
    return lambda dtype, size: None


def _number_check(slot: Slot, wanted: np.dtype[np.generic]) -> CheckElements:
    def check(dtype: np.dtype[np.generic], size: int) -> None:
        if dtype is not wanted and dtype != wanted:
            raise slot.error(
                f"expected an array of {wanted}, got {dtype}",
                hint=f"convert it with .astype('{wanted}')",
                is_type=True,
            )

    return check


def _object_check(slot: Slot, parameter: Parameter) -> CheckElements:
    wanted = sorted((f.offset, f.encoding, f.count) for f in parameter.fields)

    def check(dtype: np.dtype[np.generic], size: int) -> None:
        if size % parameter.pointee_size:
            raise slot.error(
                f"expected a multiple of {parameter.pointee_size} bytes, the size of the class,"
                f" got an array of {size} bytes"
            )
        if dtype.names is None or not wanted:
            return
        if dtype.itemsize != parameter.pointee_size or sorted(_numbers(dtype)) != wanted:
            layout = ", ".join(f"{f.name} at {f.offset}" for f in parameter.fields)
            raise slot.error(
                f"expected elements laid out as the class, {parameter.pointee_size} bytes with"
                f" {layout}, got {dtype}",
                hint="numpy.dtype([...], align=True) lays members out as C++ does",
                is_type=True,
            )

    return check


def _numbers(element: np.dtype[np.generic], start: int = 0, count: int = 1) -> Iterator[_Number]:
    """Yield the numbers, or arrays of numbers, in an element."""
    if element.subdtype is not None:
        base, shape = element.subdtype
        yield from _numbers(base, start, count * prod(shape))
    elif element.fields is None:
        yield start, f"{element.kind}{element.itemsize}", count
    else:
        for member, offset, *_ in element.fields.values():
            yield from _numbers(member, start + offset, count)

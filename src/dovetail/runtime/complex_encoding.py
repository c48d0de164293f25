"""Encoding numbers for parameters of type `std::complex`.

Images do not list the members of `std::complex`. Such a parameter is recognized by the spelling of
its type. Under another name it is a class with unknown members, which takes complex numbers if its
size and alignment are those of a complex type.
"""

import re
from numbers import Complex, Real
from typing import TypeGuard

from dovetail.kernel_info import Parameter
from dovetail.runtime.number_encoding import Pack, number_packer

_SPELLED = re.compile(r"(const )?(::)?(std::)?complex<.*>")
_PARTS = {(4, 2): "f2", (8, 4): "f4", (16, 8): "f8"}
"""The type of the real and the imaginary part, by size and alignment of the class."""


def is_complex(value: object, parameter: Parameter) -> TypeGuard[Complex]:
    """Return whether the value is a number that the parameter takes as a complex one."""
    if parameter.fields or (parameter.size, parameter.align) not in _PARTS:
        return False
    if not isinstance(value, Complex):
        return False
    return not isinstance(value, Real) or _SPELLED.fullmatch(parameter.type) is not None


def complex_packer(parameter: Parameter) -> Pack:
    """Return a function that encodes a value of which `is_complex` is true."""
    pack_part = number_packer(_PARTS.get((parameter.size, parameter.align), "f8"))

    def pack(value: object) -> bytes:
        assert isinstance(value, Complex)
        number = complex(value)
        return pack_part(number.real) + pack_part(number.imag)

    return pack

"""Setting a kernel's arguments according to the types of its parameters.

Everything that depends only on the kernel and the device is computed once; each launch then calls
one prepared function per argument.
"""

from collections.abc import Callable
from sys import byteorder
from typing import TypeAlias

import numpy as np

from dovetail.errors import ArgumentError
from dovetail.kernel_info import ADDRESS_SIZE, Parameter, ParameterKind, inner_arguments
from dovetail.runtime.backend import BackendDevice, BackendKernel, PointerArgument
from dovetail.runtime.element_types import element_check
from dovetail.runtime.memory import NO_MEMORY, HostArray, UsmArray, is_host_array
from dovetail.runtime.number_encoding import (
    ENCODINGS,
    EncodingError,
    Pack,
    describe,
    number_packer,
)
from dovetail.runtime.object_encoding import is_object, object_packer
from dovetail.runtime.slot import NULL, Slot

ArrayArgument: TypeAlias = Callable[[HostArray], PointerArgument]
"""Turns a NumPy array into a pointer: to the array itself, or to a copy on the device."""

SetArgument: TypeAlias = Callable[[object, ArrayArgument], None]
"""Raises `ForeignArgument` for an array of another library."""


class ForeignArgument(Exception):
    """A pointer argument is neither an array of NumPy or Dovetail nor an `int`."""


def argument_setter(
    slot: Slot,
    device: BackendDevice,
    kernel: BackendKernel,
    on_rebind: Callable[[], None],
) -> SetArgument:
    """Return the function that sets the slot's argument on `kernel`.

    It calls `on_rebind` when the argument points to other memory than in the previous launch.
    """
    if slot.parameter.kind is ParameterKind.POINTER:
        return _pointer_setter(slot, device, kernel, on_rebind)
    return _value_setter(slot, device, kernel)


def array_check(slot: Slot) -> Callable[[HostArray], None]:
    """Return a function that raises `ArgumentError` for arrays that the kernel cannot use."""
    check_elements, needs_write = element_check(slot), slot.parameter.writable

    def check(array: HostArray) -> None:
        flags = array.flags
        if not flags.c_contiguous:
            raise slot.error("the array is not contiguous", hint="use numpy.ascontiguousarray")
        if needs_write and not flags.writeable:
            raise slot.error(
                "the array is read-only and the kernel may write to it",
                hint="pass a copy, or make the parameter a pointer to const",
            )
        check_elements(array.dtype, array.nbytes)

    return check


def _value_setter(slot: Slot, device: BackendDevice, kernel: BackendKernel) -> SetArgument:
    """Return a function that encodes a value and passes it to the kernel, if it has changed."""
    number, set_bytes, pack = slot.index, kernel.set_bytes, _packer(slot)
    set_pointers = _inner_pointer_setter(slot, device, kernel)
    current = b""

    def set_value(value: object, _: ArrayArgument) -> None:
        nonlocal current
        try:
            data = pack(value)
        except EncodingError as error:
            raise slot.error(str(error), is_type=error.is_type) from None
        # A kernel object keeps its arguments between launches.
        if data != current:
            current = b""
            set_bytes(number, data)
            set_pointers(data)
            current = data

    return set_value


def _inner_pointer_setter(
    slot: Slot, device: BackendDevice, kernel: BackendKernel
) -> Callable[[bytes], None]:
    """Return a function that also sets the addresses in an object that are kernel arguments."""
    inner = [
        (each.number, each.member.offset)
        for each in inner_arguments(slot.kernel.parameters)
        if each.parameter == slot.index
    ]

    def set_pointers(data: bytes) -> None:
        for number, offset in inner:
            address = int.from_bytes(data[offset : offset + ADDRESS_SIZE], byteorder)
            kernel.set_pointer(number, device.address_argument(address))

    return set_pointers


def _packer(slot: Slot) -> Pack:
    parameter = slot.parameter
    if parameter.kind is ParameterKind.SCALAR and parameter.encoding in ENCODINGS:
        pack_number = number_packer(parameter.encoding)
        return _either_packer(pack_number, parameter) if parameter.fields else pack_number
    # A scalar without a NumPy type code, such as bfloat16, can only be passed as bytes.
    return object_packer(parameter)


def _either_packer(pack_number: Pack, parameter: Parameter) -> Pack:
    """Return a packer for a class with one number: takes the number or the object."""
    pack_object = object_packer(parameter)
    return lambda value: (pack_object if is_object(value) else pack_number)(value)


def _pointer_setter(
    slot: Slot, device: BackendDevice, kernel: BackendKernel, on_rebind: Callable[[], None]
) -> SetArgument:
    """Return a function that passes an array or address to the kernel, if it has changed."""
    number, set_pointer = slot.index, kernel.set_pointer
    check_array, check_memory = array_check(slot), _memory_check(slot, device)
    parameter = slot.parameter
    wanted = np.dtype(parameter.encoding) if parameter.encoding in ENCODINGS else None
    current = NO_MEMORY

    def set_pointer_to(value: object, array_argument: ArrayArgument) -> None:
        nonlocal current
        if isinstance(value, UsmArray):
            memory = value.held or value.memory
            # A kernel object keeps its arguments between launches; this one is already checked.
            if memory.serial != current:
                current = NO_MEMORY
                if value.dtype is not wanted or value.native_device is not device:
                    check_memory(value)
                set_pointer(number, memory.allocation.argument)
                current = memory.serial
                on_rebind()
            return
        current = NO_MEMORY
        if is_host_array(value):
            check_array(value)
            set_pointer(number, array_argument(value))
        else:
            set_pointer(number, device.address_argument(_address(slot, value)))

    return set_pointer_to


def _memory_check(slot: Slot, device: BackendDevice) -> Callable[[UsmArray], None]:
    """Return a function that raises an error for an array of another device, type or size."""
    check_elements = element_check(slot)

    def check(array: UsmArray) -> None:
        if array.native_device is not device:
            raise slot.error(
                f"expected an array on '{device.description.name}', where the kernel runs,"
                f" got one on '{array.device.name}'"
            )
        check_elements(array.dtype, array.nbytes)

    return check


def _address(slot: Slot, value: object) -> int:
    """Return an address that is given as a number, or 0 for `NULL`."""
    if type(value) is not int:
        if value is NULL:
            return 0
        raise ForeignArgument
    if not 0 < value < 1 << 64:
        raise no_array_error(slot, value)
    return value


def no_array_error(slot: Slot, value: object) -> ArgumentError:
    """Return the error for an argument that is not an array."""
    if value is None or value == 0:
        hint = "give dovetail.NULL if the kernel accepts a null pointer"
    else:
        hint = "give a NumPy array, an array of another library, a UsmArray or an address"
    return slot.error(f"expected an array, got {describe(value)}", hint=hint, is_type=True)

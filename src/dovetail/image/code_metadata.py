"""SYCLBIN's standard metadata sets: the state of a program and the format of each code module."""

from enum import IntEnum
from typing import NamedTuple, TypeVar

from dovetail.image.typed_set import Codec, SetReader, SetWriter

_Number = TypeVar("_Number", bound=IntEnum)


class BundleState(IntEnum):
    """The state of a program, as for SYCL's kernel bundles."""

    INPUT = 0
    OBJECT = 1
    EXECUTABLE = 2


class IRType(IntEnum):
    """The language of an IR module."""

    SPIRV = 0
    PTX = 1
    AMDGCN = 2


class IRFormat(NamedTuple):
    """The format of an IR module."""

    ir_type: IRType
    target: str
    """The triple, such as `spir64-unknown-unknown`."""


class NativeFormat(NamedTuple):
    """The format of a native image."""

    arch: str
    """The architecture, such as `intel_gpu_pvc`."""
    target: str
    """The triple, such as `spir64_gen-unknown-unknown`."""


def _number(source: SetReader, key: str, numbers: type[_Number]) -> _Number:
    value = source.number(key)
    if value is None:
        raise source.error(key, "is missing")
    try:
        return numbers(value)
    except ValueError:
        known = ", ".join(str(int(number)) for number in numbers)
        raise source.error(key, f"expected one of {known}, got {value}") from None


def _text(source: SetReader, key: str) -> str:
    if key not in source:
        raise source.error(key, "is missing")
    return source.text(key)


def _encode_state(into: SetWriter, state: BundleState) -> None:
    into.add_number("state", state)


def _decode_state(source: SetReader) -> BundleState:
    return _number(source, "state", BundleState)


def _encode_ir(into: SetWriter, form: IRFormat) -> None:
    into.add_number("type", form.ir_type)
    into.add_text("target", form.target)


def _decode_ir(source: SetReader) -> IRFormat:
    return IRFormat(_number(source, "type", IRType), _text(source, "target"))


def _encode_native(into: SetWriter, form: NativeFormat) -> None:
    into.add_text("arch", form.arch)
    into.add_text("target", form.target)


def _decode_native(source: SetReader) -> NativeFormat:
    return NativeFormat(_text(source, "arch"), _text(source, "target"))


STATE = Codec(_encode_state, _decode_state)
IR_FORMAT = Codec(_encode_ir, _decode_ir)
NATIVE_FORMAT = Codec(_encode_native, _decode_native)

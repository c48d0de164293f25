"""SYCLBIN, version 1: a SYCL program as abstract modules, each in one or more forms of code.

An abstract module is a set of kernels with their requirements. Its IR modules and native images
are that set as SPIR-V, PTX or machine code; it may also have none, when its kernels are only known.
The data is here, with the standard property sets, and the layout of the file: headers and tables
that reader and writer share.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from struct import Struct
from typing import TypeVar

from dovetail.errors import FormatError
from dovetail.image.info import ImageInfo
from dovetail.image.native_origin import NATIVE_ORIGIN, NativeOrigin
from dovetail.image.property_sets import PropertySets, text_property, uint32_property
from dovetail.image.schema import encode_info, read_info
from dovetail.image.symbols import SYMBOLS
from dovetail.image.typed_set import Codec, SetReader, SetWriter
from dovetail.image.window import Bytes

_Value = TypeVar("_Value")

MAGIC = 0x53594249
VERSION = 1

# Magic, version; counts of abstract modules, IR modules and native images; four bytes that the
# compiler's alignment leaves unused; sizes of the metadata and binary tables; offset and size of
# the global metadata.
FILE_HEADER = Struct("<5I4xQQQQ")

# Offset and size of the metadata; count and first index of its IR modules, and of native images.
ABSTRACT_MODULE = Struct("<QQIIII")

# Offset and size of the metadata, offset and size of the code; IR modules and native images alike.
CODE = Struct("<QQQQ")

_GLOBAL_SET = "SYCLBIN/global metadata"
_IR_MODULE_SET = "SYCLBIN/ir module metadata"
_NATIVE_IMAGE_SET = "SYCLBIN/native device code image metadata"
_TARGETS_SET = "Dovetail/targets"
"""Of code that is for some devices only: macros and `if constexpr` have made it different from what
other devices would need."""
_NATIVE_ORIGIN_SET = "Dovetail/native code"


def _encoded(name: str, codec: Codec[_Value], value: _Value | None) -> PropertySets:
    """Return a set of a code's metadata; none if there is nothing to say."""
    into = SetWriter(name)
    if value is not None:
        codec.encode(into, value)
    return {name: into.properties} if into.properties else {}


def _decoded(name: str, codec: Codec[_Value], sets: PropertySets) -> _Value | None:
    return codec.decode(SetReader(name, sets[name])) if name in sets else None


class BundleState(IntEnum):
    """How far a program has been built, as for SYCL's kernel bundles."""

    INPUT = 0
    OBJECT = 1
    EXECUTABLE = 2


class IRType(IntEnum):
    """The language of an IR module."""

    SPIRV = 0
    PTX = 1
    AMDGCN = 2


@dataclass(frozen=True)
class IRModule:
    """Code that a device's driver still has to compile."""

    metadata: PropertySets
    code: Bytes

    @classmethod
    def of(
        cls, ir_type: IRType, target: str, code: Bytes, *, targets: Iterable[str] = ()
    ) -> "IRModule":
        """`target` is a triple; `targets` are names, if the code is for these alone."""
        sets: PropertySets = {_IR_MODULE_SET: {"type": int(ir_type), "target": target.encode()}}
        return cls(sets | _encoded(_TARGETS_SET, SYMBOLS, tuple(targets)), code)

    @property
    def ir_type(self) -> IRType:
        number = uint32_property(self.metadata, _IR_MODULE_SET, "type")
        try:
            return IRType(number)
        except ValueError:
            raise FormatError(f"there is no type {number} of IR modules") from None

    @property
    def target(self) -> str:
        """The triple, such as `spir64-unknown-unknown`."""
        return text_property(self.metadata, _IR_MODULE_SET, "target")

    @property
    def targets(self) -> tuple[str, ...]:
        """Names of the targets that the code is for alone; none if any device may take it."""
        return _decoded(_TARGETS_SET, SYMBOLS, self.metadata) or ()


@dataclass(frozen=True)
class NativeImage:
    """Code for one architecture."""

    metadata: PropertySets
    code: Bytes

    @classmethod
    def of(
        cls,
        arch: str,
        target: str,
        code: Bytes,
        *,
        targets: Iterable[str] = (),
        origin: NativeOrigin | None = None,
    ) -> "NativeImage":
        """`targets` are the names of all targets that take the code, if `arch` is not the only."""
        sets: PropertySets = {
            _NATIVE_IMAGE_SET: {"arch": arch.encode(), "target": target.encode()},
            **_encoded(_TARGETS_SET, SYMBOLS, tuple(targets)),
            **_encoded(_NATIVE_ORIGIN_SET, NATIVE_ORIGIN, origin),
        }
        return cls(sets, code)

    @property
    def arch(self) -> str:
        """The architecture, such as `intel_gpu_pvc`."""
        return text_property(self.metadata, _NATIVE_IMAGE_SET, "arch")

    @property
    def target(self) -> str:
        """The triple, such as `spir64_gen-unknown-unknown`."""
        return text_property(self.metadata, _NATIVE_IMAGE_SET, "target")

    @property
    def targets(self) -> tuple[str, ...]:
        """Names of all targets that take the code."""
        return _decoded(_TARGETS_SET, SYMBOLS, self.metadata) or (self.arch,)

    @property
    def origin(self) -> NativeOrigin | None:
        """What made the code and takes it; None if it does not say."""
        return _decoded(_NATIVE_ORIGIN_SET, NATIVE_ORIGIN, self.metadata)


@dataclass(frozen=True)
class AbstractModule:
    """Kernels with the same requirements, and the code there is for them."""

    metadata: PropertySets
    ir_modules: tuple[IRModule, ...] = ()
    native_images: tuple[NativeImage, ...] = ()

    @classmethod
    def of(
        cls, info: ImageInfo | None, forms: Iterable[IRModule | NativeImage] = ()
    ) -> "AbstractModule":
        """Return the module of an image with its code in some forms; None for code by itself."""
        codes = tuple(forms)
        return cls(
            {} if info is None else encode_info(info),
            tuple(form for form in codes if isinstance(form, IRModule)),
            tuple(form for form in codes if isinstance(form, NativeImage)),
        )

    @cached_property
    def info(self) -> ImageInfo:
        """What the image says of itself, most of it decoded when it is first asked for."""
        return read_info(self.metadata)


@dataclass(frozen=True)
class SyclBin:
    """A program."""

    metadata: PropertySets
    abstract_modules: tuple[AbstractModule, ...]

    @classmethod
    def of(cls, state: BundleState, modules: Iterable[AbstractModule]) -> "SyclBin":
        return cls({_GLOBAL_SET: {"state": int(state)}}, tuple(modules))

    @property
    def state(self) -> BundleState:
        number = uint32_property(self.metadata, _GLOBAL_SET, "state")
        try:
            return BundleState(number)
        except ValueError:
            raise FormatError(f"there is no state {number} of programs") from None

"""SYCLBIN, version 1: a SYCL program as abstract modules, each in one or more forms of code.

An abstract module is a set of kernels with their requirements. Its IR modules and native images are
that set as SPIR-V, PTX or machine code; an abstract module without any is only a description. This
module has the data, the standard property sets, and the layouts that reader and writer share.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from struct import Struct
from typing import TYPE_CHECKING

from dovetail.image.code_metadata import BundleState, IRFormat, IRType, NativeFormat
from dovetail.image.info import ImageInfo
from dovetail.image.property_sets import PropertySets
from dovetail.image.schema import (
    IR_ROWS,
    NATIVE_ROWS,
    PROGRAM_ROWS,
    decode_field,
    encode_fields,
    encode_info,
    read_info,
)
from dovetail.image.window import Bytes

if TYPE_CHECKING:
    from dovetail.image.native_origin import NativeOrigin

MAGIC = 0x53594249
VERSION = 1

# Magic, version; counts of abstract modules, IR modules and native images; four bytes of alignment
# padding; sizes of the metadata and binary tables; offset and size of the global metadata.
FILE_HEADER = Struct("<5I4xQQQQ")

# Offset and size of the metadata; count and first index of its IR modules, and of native images.
ABSTRACT_MODULE = Struct("<QQIIII")

# Offset and size of the metadata, offset and size of the code; IR modules and native images alike.
CODE = Struct("<QQQQ")


@dataclass(frozen=True)
class IRModule:
    """Code that a device's driver compiles."""

    metadata: PropertySets
    code: Bytes

    @classmethod
    def of(
        cls, ir_type: IRType, target: str, code: Bytes, *, targets: Iterable[str] = ()
    ) -> "IRModule":
        """`target` is a triple; `targets` are names, if the code is only for these."""
        form = IRFormat(ir_type, target)
        return cls(encode_fields(IR_ROWS, {"form": form, "targets": tuple(targets)}), code)

    @cached_property
    def _form(self) -> IRFormat:
        return decode_field(IR_ROWS, "form", self.metadata)

    @property
    def ir_type(self) -> IRType:
        return self._form.ir_type

    @property
    def target(self) -> str:
        """The triple, such as `spir64-unknown-unknown`."""
        return self._form.target

    @property
    def targets(self) -> tuple[str, ...]:
        """Names of the only targets that the code is for; empty if it is for any device."""
        return decode_field(IR_ROWS, "targets", self.metadata, ())


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
        origin: "NativeOrigin | None" = None,
    ) -> "NativeImage":
        """`targets` are the names of all targets that can run the code, if not only `arch`."""
        fields = {"form": NativeFormat(arch, target), "targets": tuple(targets), "origin": origin}
        return cls(encode_fields(NATIVE_ROWS, fields), code)

    @cached_property
    def _form(self) -> NativeFormat:
        return decode_field(NATIVE_ROWS, "form", self.metadata)

    @property
    def arch(self) -> str:
        """The architecture, such as `intel_gpu_pvc`."""
        return self._form.arch

    @property
    def target(self) -> str:
        """The triple, such as `spir64_gen-unknown-unknown`."""
        return self._form.target

    @property
    def targets(self) -> tuple[str, ...]:
        """Names of all targets that can run the code."""
        return decode_field(NATIVE_ROWS, "targets", self.metadata, ()) or (self.arch,)

    @property
    def origin(self) -> "NativeOrigin | None":
        """The origin of the code; None if it is not recorded."""
        return decode_field(NATIVE_ROWS, "origin", self.metadata, None)


@dataclass(frozen=True)
class AbstractModule:
    """Kernels with the same requirements, and their code."""

    metadata: PropertySets
    ir_modules: tuple[IRModule, ...] = ()
    native_images: tuple[NativeImage, ...] = ()

    @classmethod
    def of(
        cls, info: ImageInfo | None, forms: Iterable[IRModule | NativeImage] = ()
    ) -> "AbstractModule":
        """Return the module of an image with its code; `info` is None for code alone."""
        codes = tuple(forms)
        return cls(
            {} if info is None else encode_info(info),
            tuple(form for form in codes if isinstance(form, IRModule)),
            tuple(form for form in codes if isinstance(form, NativeImage)),
        )

    @cached_property
    def info(self) -> ImageInfo:
        """The description of the image; most fields are decoded on first access."""
        return read_info(self.metadata)


@dataclass(frozen=True)
class SyclBin:
    """A program."""

    metadata: PropertySets
    abstract_modules: tuple[AbstractModule, ...]

    @classmethod
    def of(cls, state: BundleState, modules: Iterable[AbstractModule]) -> "SyclBin":
        return cls(encode_fields(PROGRAM_ROWS, {"state": state}), tuple(modules))

    @property
    def state(self) -> BundleState:
        return decode_field(PROGRAM_ROWS, "state", self.metadata)

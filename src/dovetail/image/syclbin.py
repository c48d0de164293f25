"""SYCLBIN, version 1: a SYCL program as abstract modules, each in one or more forms of code.

An abstract module is a set of kernels with their requirements. Its IR modules and native images
are that set as SPIR-V, PTX or machine code; it may also have none, when its kernels are only known.
The data is here, with the standard property sets; reader and writer are beside.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum

from dovetail.errors import FormatError
from dovetail.image.native_origin import (
    NATIVE_ORIGIN_SET,
    NativeOrigin,
    origin_of,
    origin_properties,
)
from dovetail.image.property_sets import PropertySets, text_property, uint32_property
from dovetail.image.target_names import TARGETS_SET, target_properties, targets_of
from dovetail.image.window import Bytes

GLOBAL_SET = "SYCLBIN/global metadata"
IR_MODULE_SET = "SYCLBIN/ir module metadata"
NATIVE_IMAGE_SET = "SYCLBIN/native device code image metadata"


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
        sets: PropertySets = {
            IR_MODULE_SET: {"type": int(ir_type), "target": target.encode()},
            TARGETS_SET: {**target_properties(targets)},
        }
        return cls({name: properties for name, properties in sets.items() if properties}, code)

    @property
    def ir_type(self) -> IRType:
        number = uint32_property(self.metadata, IR_MODULE_SET, "type")
        try:
            return IRType(number)
        except ValueError:
            raise FormatError(f"there is no type {number} of IR modules") from None

    @property
    def target(self) -> str:
        """The triple, such as `spir64-unknown-unknown`."""
        return text_property(self.metadata, IR_MODULE_SET, "target")

    @property
    def targets(self) -> tuple[str, ...]:
        """Names of the targets that the code is for alone; none if any device may take it."""
        return targets_of(self.metadata)


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
            NATIVE_IMAGE_SET: {"arch": arch.encode(), "target": target.encode()},
            TARGETS_SET: {**target_properties(targets)},
            NATIVE_ORIGIN_SET: origin_properties(origin),
        }
        return cls({name: properties for name, properties in sets.items() if properties}, code)

    @property
    def arch(self) -> str:
        """The architecture, such as `intel_gpu_pvc`."""
        return text_property(self.metadata, NATIVE_IMAGE_SET, "arch")

    @property
    def target(self) -> str:
        """The triple, such as `spir64_gen-unknown-unknown`."""
        return text_property(self.metadata, NATIVE_IMAGE_SET, "target")

    @property
    def targets(self) -> tuple[str, ...]:
        """Names of all targets that take the code."""
        return targets_of(self.metadata) or (self.arch,)

    @property
    def origin(self) -> NativeOrigin | None:
        """What made the code and takes it; None if it does not say."""
        return origin_of(self.metadata)


@dataclass(frozen=True)
class AbstractModule:
    """Kernels with the same requirements, and the code there is for them."""

    metadata: PropertySets
    ir_modules: tuple[IRModule, ...] = ()
    native_images: tuple[NativeImage, ...] = ()


@dataclass(frozen=True)
class SyclBin:
    """A program."""

    metadata: PropertySets
    abstract_modules: tuple[AbstractModule, ...]

    @classmethod
    def of(cls, state: BundleState, modules: Iterable[AbstractModule]) -> "SyclBin":
        return cls({GLOBAL_SET: {"state": int(state)}}, tuple(modules))

    @property
    def state(self) -> BundleState:
        number = uint32_property(self.metadata, GLOBAL_SET, "state")
        try:
            return BundleState(number)
        except ValueError:
            raise FormatError(f"there is no state {number} of programs") from None

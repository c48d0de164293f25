"""Mock programs and devices for tests that need no driver."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from dovetail.conditions import Condition
from dovetail.image import (
    AbstractModule,
    AddOn,
    BundleState,
    ImageInfo,
    IRModule,
    IRType,
    NativeImage,
    PropertySets,
    Requirements,
    SyclBin,
    encode_info,
    write_program,
)
from dovetail.kernel_info import KernelInfo
from dovetail.runtime import Device, Program
from dovetail.runtime.backend import BackendDevice, CodeKind, DeviceDescription, DeviceKind, Limits

DESCRIPTION = DeviceDescription(
    backend="opencl",
    platform="a platform",
    name="a device",
    kind=DeviceKind.CPU,
    driver_version="1",
    limits=Limits(64, (16, 32, 64), 1 << 15, 1 << 30, 1 << 28),
    sub_group_sizes=(8, 16),
    spirv_versions=("1.4",),
    extensions=frozenset(),
    aspects=frozenset({"cpu", "fp64"}),
    target="x86_64",
)


@dataclass
class Stub:
    """A device that answers queries and does nothing else."""

    description: DeviceDescription = DESCRIPTION
    kinds: Sequence[CodeKind] = (CodeKind.SPIRV, CodeKind.NATIVE)

    def supports(self, kind: CodeKind) -> bool:
        return kind in self.kinds

    def build_settings(self) -> dict[str, str]:
        return {}


def device(*, kinds: Sequence[CodeKind] = Stub.kinds, **changes: Any) -> Device:
    """Return a device that differs from `DESCRIPTION` in some ways."""
    return Device(cast(BackendDevice, Stub(replace(DESCRIPTION, **changes), kinds)))


@dataclass(frozen=True)
class Image:
    """The contents of an image of a mock program."""

    kernels: tuple[str, ...] = ()
    exports: tuple[str, ...] = ()
    imports: tuple[str, ...] = ()
    inline: tuple[str, ...] = ()
    """Those of the exports that are inline functions."""
    requires: Requirements = field(default_factory=Requirements)
    code: tuple[str, ...] = ("SPIR-V",)
    """Forms: SPIR-V, PTX, or the architecture of native code."""
    add_on: AddOn | None = None
    add_ons: Mapping[str, Condition] = field(default_factory=dict[str, Condition])
    resolved: tuple[str, ...] = ()
    """The targets that its conditions were decided for."""
    more: PropertySets = field(default_factory=PropertySets)

    def module(self) -> AbstractModule:
        info = ImageInfo(
            requirements=self.requires,
            kernels=tuple(map(_info, self.kernels)),
            exports=self.exports,
            imports=self.imports,
            inline=self.inline,
            add_on=self.add_on,
            add_ons=self.add_ons,
            resolved_targets=self.resolved,
        )
        sets = {**encode_info(info), **self.more}
        kinds = {"SPIR-V": IRType.SPIRV, "PTX": IRType.PTX}
        return AbstractModule(
            sets,
            tuple(IRModule.of(kinds[c], "a triple", b"code") for c in self.code if c in kinds),
            tuple(NativeImage.of(c, "a triple", b"code") for c in self.code if c not in kinds),
        )


def _info(symbol: str) -> KernelInfo:
    return KernelInfo(symbol, symbol, f"{symbol}()", 1, ())


def program(*images: Image, name: str = "a.syclbin") -> Program:
    """Return a loaded program of these images."""
    syclbin = SyclBin.of(BundleState.INPUT, [image.module() for image in images])
    return Program.from_bytes(write_program(syclbin), name)

"""The interface of code generators, and the generators of each toolchain.

A generator compiles an image for targets that get the same code, and returns the forms in which a
program stores it: one, IR or native code, or several, such as PTX beside a cubin.
"""

import shlex
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, Protocol

from dovetail.errors import DovetailError
from dovetail.targets import Target

if TYPE_CHECKING:
    # Planning a build needs generators, but not LLVM.
    from concurrent.futures import Future

    from dovetail.artifacts import CodeForm, DeviceImage
    from dovetail.codegen.session import CodegenSession


class CodeGenerationError(DovetailError):
    """A compiler rejected an image. The message is its log, without names of kernels or targets."""


class InvalidCode(CodeGenerationError):
    """A compiler produced code that is invalid or does not match its input."""

    def __init__(self, message: str, code: bytes, suffix: str, *, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.code = code
        self.suffix = suffix
        """The file name suffix for such code."""


class BuildTarget(NamedTuple):
    """A target of a build, and the user's options for its compiler."""

    target: Target
    options: tuple[str, ...] = ()
    """From `-Xs` and `-Xsycl-target-backend`, one argument each."""

    @property
    def name(self) -> str:
        return self.target.name

    @property
    def arguments(self) -> tuple[str, ...]:
        """The arguments of its compiler: those of its table entry, then the user's."""
        return (*shlex.split(self.target.options), *self.options)


Values = Mapping[int, bool]
"""The values of a conditional image's specialization constants, by `SpecId`."""

NO_VALUES: Values = MappingProxyType({})
"""The values for an image that is not conditional."""


class CodeGenerator(Protocol):
    """Generates code of images."""

    name: str
    """The name in messages and plans."""
    specialises: bool = False
    """Whether a conditional image is specialized for the targets; else its code is conditional."""

    def check(self, target: BuildTarget) -> None:
        """Raise an error unless a compiler for the target is installed and knows it.

        Called before each build. `ToolMissing` names the package of a compiler that is not
        installed; `UsageError` names the version of one that does not know the target's processor.
        Neither names the target: the caller does (`checking.py`).
        """
        ...

    def key_parts(self, target: BuildTarget) -> tuple[str, ...]:
        """Return what the code depends on besides the image: options, versions of compilers.

        Targets with equal parts get the same code.
        """
        ...

    def accepts_options(self, target: BuildTarget) -> bool:
        """Return whether the user's options for a target are passed to a compiler."""
        ...

    def prepare(self, count: int) -> None:
        """Start up to `count` worker processes, without waiting for them.

        Steps that generate code in parallel share the workers.
        """

    def cost(self, targets: Sequence[BuildTarget]) -> tuple[int, ...]:
        """Return a relative cost of one call of `generate`; the most expensive calls run first."""
        return ()

    def generate(
        self,
        image: "DeviceImage",
        targets: Sequence[BuildTarget],
        session: "CodegenSession",
        values: Values = NO_VALUES,
    ) -> "Future[tuple[CodeForm, ...]]":
        """Return the future code for targets with equal key parts; without targets, for any device.

        A generator that specializes uses `values` for the constants of a conditional image. All
        work runs in the session's pool; compilers, LLVM's back-ends among them, run in child
        processes. The future fails with `CodeGenerationError` or `ToolFailed`.
        """
        ...


_SPIRV = "dovetail.codegen.spirv:SpirvGenerator"

GENERATORS = {
    "": (_SPIRV,),
    "ocloc": (_SPIRV, "dovetail.codegen.ocloc:OclocGenerator"),
    "opencl-aot": (_SPIRV, "dovetail.codegen.opencl_cpu:OpenCLCpuGenerator"),
    "ptxas": ("dovetail.codegen.nvptx:NvptxGenerator",),
    "amdgpu": ("dovetail.codegen.amdgcn:AmdgcnGenerator",),
    "aoc": (_SPIRV,),  # SPIR-V only: there is no generator for FPGAs
}
"""The generators of each toolchain in the target table, as `module:class`, loaded on first use."""


def generators_of(toolchain: str = "") -> "tuple[CodeGenerator, ...]":
    """Return the generators of a toolchain; without one, those of code for any device."""
    return tuple(map(_generator, GENERATORS[toolchain]))


@cache
def _generator(location: str) -> CodeGenerator:
    module, _, name = location.partition(":")
    return getattr(import_module(module), name)()


def code_key_parts(target: BuildTarget) -> tuple[tuple[str, ...], ...]:
    """Return what all of a target's code depends on besides images."""
    return tuple(
        (generator.name, *generator.key_parts(target))
        for generator in generators_of(target.target.toolchain)
    )

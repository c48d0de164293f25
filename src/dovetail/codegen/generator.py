"""What makes the code of images: the interface of all code generators, and how they are found.

A generator takes an image and targets that get the same code, and returns the forms in which a
program carries it: one of IR or native code, or several, such as PTX beside a cubin. Generators of
one run share a session.
"""

import shlex
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cache
from importlib import import_module
from threading import Lock
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar, cast

from dovetail.errors import DovetailError
from dovetail.targets import Target

if TYPE_CHECKING:
    # Whoever plans a build asks for generators, and need not load LLVM for that.
    from concurrent.futures import Executor, Future

    from dovetail.artifacts import CodeForm, DeviceImage

_Made = TypeVar("_Made")


class CodeGenerationError(DovetailError):
    """A compiler refused an image; the message has its log, and names no kernel and no target."""


class InvalidCode(CodeGenerationError):
    """A compiler wrote code that is not valid, or not what it was told to write."""

    def __init__(self, message: str, code: bytes, suffix: str, *, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.code = code
        self.suffix = suffix
        """How the names of files with such code end."""


class BuildTarget(NamedTuple):
    """A target that a program is built for, and what the user tells its compiler."""

    target: Target
    options: tuple[str, ...] = ()
    """From `-Xs` and `-Xsycl-target-backend`, word by word."""

    @property
    def name(self) -> str:
        return self.target.name

    @property
    def words(self) -> tuple[str, ...]:
        """What its compiler is given: the words of its entry in the table, then the user's."""
        return (*shlex.split(self.target.options), *self.options)


Values = Mapping[int, bool]
"""Of the constants in a conditional image's code, by `SpecId`."""

NO_VALUES: Values = MappingProxyType({})
"""What there is to say of an image that is not conditional."""


class Once:
    """What is made once, by whichever generator asks first, and then shared."""

    def __init__(self) -> None:
        self._asking = Lock()
        self._made: dict[Hashable, object] = {}

    def get(self, key: Hashable, make: "Callable[[], Future[_Made]]") -> "Future[_Made]":
        """Return what was begun under `key` before, or else begin it with `make`.

        A key has one type of result, since it names who makes it.
        """
        with self._asking:
            if key not in self._made:
                self._made[key] = make()
            return cast("Future[_Made]", self._made[key])


class CodegenSession(NamedTuple):
    """Where generators work, and what they share of each image."""

    pool: "Executor"
    shared: Once


class CodeGenerator(Protocol):
    """Makes code of images."""

    name: str
    """For messages and plans."""
    specialises: bool = False
    """Whether code of a conditional image is made for what its constants are on the targets; else
    it is conditional itself."""

    def check(self, target: BuildTarget) -> None:
        """Return if there is a compiler for the target and it knows it; asked before each build.

        `ToolMissing` names the package of a compiler that is not installed, `UsageError` the
        version of one that does not know what the target stands for. Neither names the target,
        which who asks does (`checking.py`).
        """
        ...

    def words(self, target: BuildTarget) -> tuple[str, ...]:
        """What the code for a target depends on beside the image: options, compilers' versions.

        The same words, the same code.
        """
        ...

    def takes_options(self, target: BuildTarget) -> bool:
        """Whether the user's options for a target reach a compiler."""
        ...

    def prepare(self, count: int) -> None:
        """In a build, start what takes a while to come up, for so many at once; does not wait.

        Steps that make code side by side each ask for it, and share what is started.
        """

    def effort(self, targets: Sequence[BuildTarget]) -> tuple[int, ...]:
        """Greater if code for these takes longer than for others: that is begun with.

        They are those of one call of `generate`.
        """
        return ()

    def generate(
        self,
        image: "DeviceImage",
        targets: Sequence[BuildTarget],
        session: CodegenSession,
        values: Values = NO_VALUES,
    ) -> "Future[tuple[CodeForm, ...]]":
        """The code for targets with the same words, for any device if there are none.

        `values` are what the constants of a conditional image are on all of them, if the generator
        specialises. All of it is left to the session's pool: LLVM's back-ends work in processes of
        their own, as other compilers do. The future has the code, or `CodeGenerationError`, or
        `ToolFailed`.
        """
        ...


_SPIRV = "dovetail.codegen.spirv:SpirvGenerator"

GENERATORS = {
    "": (_SPIRV,),
    "ocloc": (_SPIRV, "dovetail.codegen.ocloc:OclocGenerator"),
    "opencl-aot": (_SPIRV, "dovetail.codegen.opencl_cpu:OpenCLCpuGenerator"),
    "ptxas": ("dovetail.codegen.nvptx:NvptxGenerator",),
    "amdgpu": ("dovetail.codegen.amdgcn:AmdgcnGenerator",),
    "aoc": (_SPIRV,),  # whose SPIR-V is all that we can make
}
"""By the toolchain that the table of targets names, what makes the forms of code that a program
carries: module and class, loaded when asked for."""


def generators_of(toolchain: str = "") -> "tuple[CodeGenerator, ...]":
    """What makes code with a toolchain; without one, code for any device."""
    return tuple(map(_generator, GENERATORS[toolchain]))


@cache
def _generator(location: str) -> CodeGenerator:
    module, _, name = location.partition(":")
    return getattr(import_module(module), name)()


def words_for(target: BuildTarget) -> tuple[tuple[str, ...], ...]:
    """What all of a target's code depends on beside images."""
    return tuple(
        (generator.name, *generator.words(target))
        for generator in generators_of(target.target.toolchain)
    )

"""What makes the code of images: the interface of all code generators, and how one is found.

A generator takes an image and targets that get the same code, and returns the forms in which a
program carries it: one of IR or native code, or several, such as PTX beside a cubin.
"""

from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, Protocol

from dovetail.errors import DovetailError, UsageError
from dovetail.targets import Target
from dovetail.targets.ir_family import IRFamily, ir_family

if TYPE_CHECKING:
    # Whoever plans a build asks for generators, and need not load LLVM for that.
    from concurrent.futures import Executor, Future

    from dovetail.artifacts import CodeForm, DeviceImage


class CodeGenerationError(DovetailError):
    """A compiler refused an image; the message has its log, and names no kernel and no target."""


class InvalidCode(Exception):
    """A compiler wrote code that is not valid: a bug, not a mistake of the user's."""

    def __init__(self, message: str, code: bytes, suffix: str) -> None:
        super().__init__(message)
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


class CodeGenerator(Protocol):
    """Makes code of images."""

    @property
    def name(self) -> str:
        """For messages and plans."""
        ...

    def words(self, target: BuildTarget) -> tuple[str, ...]:
        """What the code for a target depends on beside the image; the same words, the same code."""
        ...

    def takes_options(self, target: BuildTarget) -> bool:
        """Whether the user's options for a target reach a compiler."""
        ...

    def generate(
        self, image: "DeviceImage", targets: Sequence[BuildTarget], pool: "Executor"
    ) -> "Future[tuple[CodeForm, ...]]":
        """The code for targets with the same words, for any device if there are none.

        All of it is left to `pool`: LLVM's back-ends work in processes of their own, as other
        compilers do. The future has the code, or `CodeGenerationError`.
        """
        ...


GENERATORS = {IRFamily.SPIRV64: "dovetail.codegen.spirv:SpirvGenerator"}
"""By family, module and class; loaded when asked for."""


def can_generate(target: Target) -> bool:
    """Whether anything makes code for a target."""
    return ir_family(target) in GENERATORS


def generator_of(family: IRFamily) -> CodeGenerator:
    """What makes the code of a family's images."""
    if family not in GENERATORS:
        raise UsageError(f"nothing makes code for the family '{family}' yet")
    module, _, name = GENERATORS[family].partition(":")
    generator: CodeGenerator = getattr(import_module(module), name)()
    return generator

"""What the stages hand to each other.

A stage takes an artifact and returns a new one. IR modules are the exception that memory forces on
us: the stage that is given one owns it from then on and may change it in place.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from dovetail.facts import Facts
from dovetail.image import (
    ConditionalFunctions,
    Constants,
    ImageInfo,
    IRModule,
    NativeImage,
    constants_of,
)
from dovetail.ir import Module
from dovetail.spirv.expressions import ExpressionNode, Expressions


@dataclass(frozen=True)
class DeviceModule:
    """Device IR of one or several sources, and what is known about it beside the IR."""

    module: Module
    facts: Facts


@dataclass(frozen=True)
class ConditionalCode:
    """What in an image's code is for some devices alone, by what constants say of a device."""

    constants: Constants
    expressions: Expressions
    functions: Mapping[str, int]
    """By symbol, when a function is there: an expression's number. Others always are."""
    calls: Mapping[str, int]
    """By the symbol of what is called under a condition, when all calls of it are made."""

    @classmethod
    def of(cls, info: ImageInfo) -> "ConditionalCode | None":
        """Return what an image says of its bitcode; None if that is for every device."""
        described = info.conditional_functions
        if described is None:
            return None
        nodes = (
            ExpressionNode(operation, tuple(rest)) for operation, *rest in described.expressions
        )
        return cls(constants_of(info), Expressions.of(nodes), described.functions, described.calls)

    @property
    def described(self) -> ConditionalFunctions:
        """What the description of an image says of it, beside its constants."""
        expressions = tuple((node.operation, *node.operands) for node in self.expressions.nodes)
        return ConditionalFunctions(expressions, self.functions, self.calls)


@dataclass(frozen=True, eq=False)
class DeviceImage:
    """A part of a program that is compiled and loaded as a whole, still as IR.

    Each is equal only to itself: what is made of one is found by it.
    """

    module: Module
    entry_points: tuple[str, ...]
    """The symbols of its kernels and exported functions."""
    info: ImageInfo
    sources: tuple[Facts, ...] = ()
    """What is known of each source of the program, for messages; the code does not depend on it."""
    targets: tuple[str, ...] = ()
    """The names of the targets that code of it is made for, where others of the program have images
    of their own; none means all. Those that its conditions were decided for are among them."""
    conditional: ConditionalCode | None = None
    """None if all of its code is for every device that it is for."""


CodeForm = IRModule | NativeImage
"""Code that a driver takes, with what says which."""


@dataclass(frozen=True)
class CompiledImage:
    """A device image in the forms that drivers take."""

    forms: tuple[CodeForm, ...]
    """None if no target of the program can run it: then it is known by its requirements."""
    info: ImageInfo

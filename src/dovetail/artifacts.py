"""The artifacts that stages exchange.

A stage accepts an artifact and returns a new one. To save memory, IR modules are an exception: a
stage that receives a module owns it and may change it in place.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from dovetail.facts import Facts
from dovetail.facts_json import load_facts
from dovetail.image import ImageInfo, IRModule, NativeImage
from dovetail.ir import Context, Module

TYPE_CHECKING = False
if TYPE_CHECKING:
    # Imported late: most code has no conditions.
    from dovetail.image import ConditionalFunctions, Constants
    from dovetail.spirv.expressions import Expressions


@dataclass(frozen=True)
class DeviceModule:
    """Device IR of one or several sources, with the facts about them."""

    module: Module
    facts: Facts

    @classmethod
    def load(cls, context: Context, name: str, bitcode: Path, facts: Path, unit: str = "") -> Self:
        """Return a source's IR and facts from the files that clang and the plugin have written."""
        # These files are trusted, so the bitcode is parsed in this process.
        module = Module.parse(context, bitcode.read_bytes(), name)
        return cls(module, load_facts(facts, unit))


@dataclass(frozen=True)
class ConditionalCode:
    """The conditions for functions and calls that an image has only on some devices.

    They are expressions of boolean constants, whose values depend on the device.
    """

    constants: "Constants"
    expressions: "Expressions"
    functions: Mapping[str, int]
    """The expression for the presence of each conditional function, by symbol."""
    calls: Mapping[str, int]
    """The expression for all calls of each action, by symbol."""

    @classmethod
    def of(cls, info: ImageInfo) -> "ConditionalCode | None":
        """Return the conditions in an image's properties, or None if there are none."""
        described = info.conditional_functions
        if described is None:
            return None
        from dovetail.image import constants_of
        from dovetail.spirv.expressions import ExpressionNode, Expressions

        nodes = (
            ExpressionNode(operation, tuple(rest)) for operation, *rest in described.expressions
        )
        return cls(constants_of(info), Expressions.of(nodes), described.functions, described.calls)

    @property
    def as_property(self) -> "ConditionalFunctions":
        """The conditions as an image property, which does not include the constants."""
        from dovetail.image import ConditionalFunctions

        expressions = tuple((node.operation, *node.operands) for node in self.expressions.nodes)
        return ConditionalFunctions(expressions, self.functions, self.calls)


@dataclass(frozen=True, eq=False)
class DeviceImage:
    """A part of a program that is compiled and loaded as a whole, as IR.

    Images compare by identity, so that they can be dictionary keys.
    """

    module: Module
    entry_points: tuple[str, ...]
    """The symbols of its kernels and exported functions."""
    info: ImageInfo
    sources: tuple[Facts, ...] = ()
    """The facts about each source of the program, for messages only."""
    targets: tuple[str, ...] = ()
    """The names of the targets to compile it for; none means all. Not empty if conditions were
    resolved at build time, so that other targets of the program have other images."""
    conditional: ConditionalCode | None = None
    """None if the code has no conditions."""


CodeForm = IRModule | NativeImage
"""Code that a driver accepts, with its format."""


@dataclass(frozen=True)
class CompiledImage:
    """A device image in the forms that drivers accept."""

    forms: tuple[CodeForm, ...]
    """Empty if no target of the program can run the image, which then only has requirements."""
    info: ImageInfo

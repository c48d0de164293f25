"""Add the aspects of types that remain in functions after optimization.

In: an optimized module whose `!sycl_used_aspects` contain marked and declared aspects. Out: the
module with the aspects of `double`, as in DPC++, and of `_Float16` and 64-bit atomic operations,
which DPC++ does not count but which devices need not support.
"""

from dataclasses import dataclass
from typing import ClassVar

from dovetail.graphs import to_bits
from dovetail.ir import Module
from dovetail.passes.base import ModulePass, PassContext
from dovetail.passes.used_aspects import propagate_used_aspects
from dovetail.targets import aspect_number

_ASPECT_OF_TYPE = {"half": "fp16", "double": "fp64", "atomic i64": "atomic64"}


@dataclass(frozen=True)
class RemainingTypes(ModulePass):
    """Add the aspects of remaining types."""

    name: ClassVar[str] = "remaining-types"

    def apply(self, context: PassContext, module: Module) -> None:
        aspects = {
            symbol: to_bits(aspect_number(_ASPECT_OF_TYPE[name]) for name in types)
            for symbol, types in module.scalar_types().items()
        }
        propagate_used_aspects(module, context.targets, aspects)

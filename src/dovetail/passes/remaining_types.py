"""Add what functions use by the types that optimisation leaves in them.

In: an optimised module whose functions have `!sycl_used_aspects` for what no optimisation takes
away: marks and declarations. Out: the same with the aspects of the types that are left: `double`,
as DPC++ counts it, and what it does not count, but a device has to have: `_Float16` and atomic
operations on eight bytes.
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
    """Types that are left become used aspects."""

    name: ClassVar[str] = "remaining-types"

    def apply(self, context: PassContext, module: Module) -> None:
        aspects = {
            symbol: to_bits(aspect_number(_ASPECT_OF_TYPE[name]) for name in types)
            for symbol, types in module.scalar_types().items()
        }
        propagate_used_aspects(module, context.targets, aspects)

"""Add what functions use by the types that optimisation leaves in them.

In: an optimised module whose functions have `!sycl_used_aspects` for what no optimisation takes
away: marks and declarations. Out: the same with the aspects of the types that are left, as DPC++
counts them: `double`, in instructions or in a class of which a member is read or written; and what
it does not count, but a device has to have: `_Float16` and atomic operations on eight bytes.
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
        types = module.scalar_types()
        if with_double := frozenset(context.facts.classes_with_double):
            for symbol, classes in module.accessed_classes().items():
                if not with_double.isdisjoint(classes):
                    types.setdefault(symbol, []).append("double")
        aspects = {symbol: to_bits(map(_aspect_of, names)) for symbol, names in types.items()}
        propagate_used_aspects(module, context.targets, aspects)


def _aspect_of(type_name: str) -> int:
    return aspect_number(_ASPECT_OF_TYPE[type_name])

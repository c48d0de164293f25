"""Run LLVM's own optimiser.

In: a module on which all facts stand that inlining would lose. Out: the same behaviour, faster.
What a function uses and declares is also on its callers afterwards, whether it was inlined or not.
"""

from dataclasses import dataclass
from typing import ClassVar

from dovetail.device_metadata import CONDITIONAL_CALLER, MODULE_ID, OPTIMIZATION
from dovetail.errors import UsageError
from dovetail.ir import Module
from dovetail.passes.base import ModulePass, PassContext
from dovetail.passes.standard import OPTIMIZATION_LEVELS
from dovetail.passes.used_aspects import propagate_used_aspects


@dataclass(frozen=True)
class Optimize(ModulePass):
    """LLVM's default pipeline."""

    name: ClassVar[str] = "optimize"
    level: str = "2"
    """As in clang's -O."""

    def apply(self, context: PassContext, module: Module) -> None:
        if self.level not in OPTIMIZATION_LEVELS:
            raise UsageError(
                f"there is no optimisation level '{self.level}'",
                hint=f"levels: {', '.join(OPTIMIZATION_LEVELS)}",
            )
        propagate_used_aspects(module, context.targets)
        # Without them, LLVM forgets that integers may be too large for `half`.
        module.add_half_fences()
        module.run_passes(llvm_pipeline(self.level))
        module.remove_half_fences()
        _note_level(module, self.level)


def _note_level(module: Module, level: str) -> None:
    """Say on entry points what they were optimised at, as DPC++ does: s and z count as 2.

    Actions of conditional calls are entry points too, of add-on images.
    """
    number = level if level.isdecimal() else "2"
    actions = (call.action for call in module.conditional_calls(CONDITIONAL_CALLER))
    symbols = (*module.function_attributes(MODULE_ID), *actions)
    module.set_function_attributes({symbol: {OPTIMIZATION: number} for symbol in symbols})


def llvm_pipeline(level: str) -> str:
    """LLVM's pipeline for a level, and what device code needs beyond it."""
    # Untouched code does not survive LLVM's SPIR-V back-end and the drivers: indices into classes
    # come out invalid, barriers lose their constant operands.
    lowest = "1" if level == "0" else level
    # Entry points are inlined into by now, so it shows which generic pointers are global or local.
    return f"default<O{lowest}>,function(infer-address-spaces)"

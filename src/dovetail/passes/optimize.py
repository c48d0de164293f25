"""Run LLVM's optimizer.

In: a module with all metadata that must survive inlining. Out: the optimized module, in which
functions also have the aspects that their callees used and declared before.
"""

from dataclasses import dataclass
from typing import ClassVar

from dovetail.device_metadata import CONDITIONAL_CALLER, MODULE_ID, OPTIMIZATION
from dovetail.errors import UsageError
from dovetail.ir import Module
from dovetail.passes.base import ModulePass, PassContext
from dovetail.passes.standard_pipeline import OPTIMIZATION_LEVELS
from dovetail.passes.used_aspects import propagate_used_aspects


@dataclass(frozen=True)
class Optimize(ModulePass):
    """Run LLVM's default pipeline."""

    name: ClassVar[str] = "optimize"
    level: str = "2"
    """As in clang's -O."""

    def apply(self, context: PassContext, module: Module) -> None:
        if self.level not in OPTIMIZATION_LEVELS:
            raise UsageError(
                f"unknown optimization level '{self.level}'",
                hint=f"levels: {', '.join(OPTIMIZATION_LEVELS)}",
            )
        propagate_used_aspects(module, context.targets)
        module.run_passes(llvm_pipeline(self.level, module.triple))
        _attach_level(module, self.level)


def _attach_level(module: Module, level: str) -> None:
    """Attach the optimization level to entry points, as DPC++ does; s and z count as 2.

    Actions are included, because they are entry points of add-on images.
    """
    number = level if level.isdecimal() else "2"
    actions = (call.action for call in module.conditional_calls(CONDITIONAL_CALLER))
    symbols = (*module.function_attributes(MODULE_ID), *actions)
    module.set_function_attributes({symbol: {OPTIMIZATION: number} for symbol in symbols})


def llvm_pipeline(level: str, triple: str) -> str:
    """Return LLVM's pipeline for a level and target, followed by address space inference."""
    # LLVM's SPIR-V back-end and drivers miscompile unoptimized code: indices into classes become
    # invalid, and barriers lose their constant operands.
    used = "1" if level == "0" else level
    # At 3, LLVM moves conditions out of loops that it duplicates, where Intel's CPU runtime uses
    # one of the two results for all work-items. Drivers optimize SPIR-V further themselves.
    if triple.startswith("spir") and level == "3":
        used = "2"
    # After inlining into entry points, the address spaces of most generic pointers are known.
    return f"default<O{used}>,function(infer-address-spaces)"

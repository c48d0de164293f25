"""Targets of indirect calls that are declared by DPC++'s function attributes.

| attribute | on | meaning |
|---|---|---|
| `indirectly-callable` | virtual functions | the name of the set that they belong to |
| `calls-indirectly` | kernels | the sets whose functions they may call, separated by commas |
| `referenced-indirectly` | functions | their address is taken elsewhere |
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Self

from dovetail.ir import Module

CALLABLE = "indirectly-callable"
_CALLS = "calls-indirectly"
_REFERENCED = "referenced-indirectly"


@dataclass(frozen=True)
class IndirectTargets:
    """Indirect calls declared by attributes."""

    callees: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """The functions of all sets that each caller names."""
    in_sets: frozenset[str] = frozenset()
    """The functions of all sets, which are called only by functions that name the set."""
    referenced: frozenset[str] = frozenset()
    """Functions whose address is taken elsewhere."""

    @classmethod
    def of(cls, module: Module) -> Self:
        """Return the indirect calls declared in a module."""
        sets: dict[str, list[str]] = {}
        in_sets = module.function_attributes(CALLABLE)
        for symbol, name in in_sets.items():
            sets.setdefault(name, []).append(symbol)
        callees: dict[str, tuple[str, ...]] = {}
        for caller, names in module.function_attributes(_CALLS).items():
            called = [symbol for name in names.split(",") for symbol in sets.get(name, ())]
            if called:
                callees[caller] = tuple(dict.fromkeys(called))
        referenced = module.function_attributes(_REFERENCED)
        return cls(callees, frozenset(in_sets), frozenset(referenced))


def callable_without_reference(module: Module) -> set[str]:
    """Return the functions that may be called although nothing refers to them."""
    return {s for key in (CALLABLE, _REFERENCED) for s in module.function_attributes(key)}

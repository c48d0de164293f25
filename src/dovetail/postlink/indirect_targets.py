"""What may be called through pointers, as function attributes of DPC++ say.

`indirectly-callable` has the name of a set of virtual functions, and is on each of them;
`calls-indirectly`, on kernels, has the names of the sets whose functions a kernel may call, with
commas between them. `referenced-indirectly` is on functions whose address is taken elsewhere.
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
    """What attributes say, beside the addresses that code takes."""

    callees: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """By caller, the functions of all sets that it calls."""
    in_sets: frozenset[str] = frozenset()
    """The functions of all sets: only who names the set calls them."""
    referenced: frozenset[str] = frozenset()
    """Functions whose address is taken elsewhere."""

    @classmethod
    def of(cls, module: Module) -> Self:
        """Return what the attributes in a module say."""
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

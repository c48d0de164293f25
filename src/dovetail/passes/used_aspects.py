"""Propagate used aspects from functions to their callers, in the metadata of a module.

Inlining drops the metadata of the inlined function, so its caller must have the aspects before.
"""

from collections.abc import Mapping, Set as AbstractSet
from types import MappingProxyType

from dovetail.analysis import ConditionalUses, Edges, simplify
from dovetail.device_metadata import (
    CONDITIONAL_CALLER,
    MODULE_ID,
    USED,
    add_conditional_uses,
    conditionally_used_aspects,
    declared_aspects,
    set_conditionally_used,
    used_aspects,
)
from dovetail.graphs import from_bits
from dovetail.ir import CallGraph, Module
from dovetail.targets import Table

_NOTHING: Mapping[str, int] = MappingProxyType({})


def propagate_used_aspects(
    module: Module, table: Table, more: Mapping[str, int] = _NOTHING
) -> None:
    """Add the aspects that callees use or declare to the used aspects of each function.

    `more` contains aspects, as bits, that functions use besides those in their metadata.
    """
    listed, declared = used_aspects(module), declared_aspects(module)
    conditional = conditionally_used_aspects(module)
    if not (listed or declared or conditional or more):
        return
    graph = CallGraph.of(module, CONDITIONAL_CALLER)
    names = graph.names
    own = [listed.get(n, 0) | declared.get(n, 0) | more.get(n, 0) for n in names]
    edges = Edges(*graph.edges())
    add_conditional_uses(module, {name: number for number, name in enumerate(names)}, own, edges)
    used, uses = edges.gather(own)
    by_name = {names[node]: found for node, found in uses.items() if node < len(names)}
    _label(module, listed, dict(zip(names, used, strict=False)))
    _label_conditional(module, conditional.keys(), simplify(by_name, table))


def _label(module: Module, listed: Mapping[str, int], used: Mapping[str, int]) -> None:
    """Write the sets that have changed."""
    grown = {
        function.name: list(from_bits(used[function.name]))
        for function in module.functions()
        if not function.is_declaration and used[function.name] != listed.get(function.name, 0)
    }
    module.set_function_metadata(USED, grown)


def _label_conditional(
    module: Module, labelled: AbstractSet[str], uses: Mapping[str, ConditionalUses]
) -> None:
    """Write conditional uses of functions that had some, and of entry points."""
    names = labelled | module.function_attributes(MODULE_ID).keys()
    set_conditionally_used(module, {name: uses[name] for name in uses if name in names})

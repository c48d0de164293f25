"""Propagate used aspects from callees to callers in a linked program.

The results are stored as `!sycl_used_aspects` on functions and `!sycl_conditionally_used_aspects`
on entry points. Without conditional calls, the time is linear in functions and calls.
"""

from collections.abc import Mapping
from typing import NamedTuple

from dovetail.analysis import ConditionalUses, Edges, simplify
from dovetail.device_metadata import (
    CONDITIONALLY_USED,
    OTHER_USED,
    USED,
    add_conditional_uses,
    set_conditionally_used,
    used_aspects,
)
from dovetail.graphs import from_bits
from dovetail.postlink.calls import Calls, add_written_calls
from dovetail.postlink.link import LinkedProgram
from dovetail.targets import Table, default_table


class Propagated(NamedTuple):
    """The aspects that functions use; functions without aspects are left out."""

    used: dict[str, int]
    """Aspects used on all devices, as bits."""
    conditional: dict[str, ConditionalUses]
    """Aspects used only on some devices, by condition."""


def propagate_aspects(
    linked: LinkedProgram, calls: Calls, table: Table | None = None
) -> Propagated:
    """Return the aspects that functions use, and write them to the module's metadata.

    `table` is the table of targets, by default the configured one.
    """
    listed = used_aspects(linked.module)
    used, conditional = _gathered(linked, calls, listed)
    uncertain = simplify(conditional, table or default_table()) if conditional else {}
    _label(linked, listed, used)
    _label_conditional(linked, uncertain)
    return Propagated(used, uncertain)


def _gathered(linked: LinkedProgram, calls: Calls, listed: Mapping[str, int]) -> Propagated:
    """Return the aspects that each function uses, itself or through calls."""
    names = calls.graph.names
    own = [listed.get(name, 0) for name in names]
    for symbol, declarations in linked.declarations.items():
        # Linking drops functions that nothing refers to.
        if symbol in calls.number_of:
            for promise in declarations:
                own[calls.number_of[symbol]] |= promise.aspects or 0
    own += [0] * (calls.node_count - len(own))
    edges = Edges(*calls.edges())
    add_conditional_uses(linked.module, calls.number_of, own, edges)
    add_written_calls(linked.written_facts, calls, own, edges)
    used, conditional = edges.gather(own)
    return Propagated(
        {name: bits for name, bits in zip(names, used, strict=False) if bits},
        {names[node]: uses for node, uses in conditional.items() if node < len(names)},
    )


def _label_conditional(linked: LinkedProgram, uncertain: Mapping[str, ConditionalUses]) -> None:
    """Write conditional uses of entry points, and of functions for which inputs had them."""
    labelled = {root.symbol for root in linked.roots}
    labelled |= linked.module.function_metadata(CONDITIONALLY_USED).keys()
    set_conditionally_used(
        linked.module, {symbol: uncertain[symbol] for symbol in uncertain if symbol in labelled}
    )


def _label(linked: LinkedProgram, listed: Mapping[str, int], used: Mapping[str, int]) -> None:
    """Write the used aspects that have changed, and replace older spellings."""
    changed = {symbol: bits for symbol, bits in used.items() if listed.get(symbol) != bits}
    module = linked.module
    for kind in OTHER_USED:
        older = module.function_metadata(kind)
        changed |= {symbol: used[symbol] for symbol in older if symbol in used}
        if older:
            module.set_function_metadata(kind, dict.fromkeys(older))
    groups: dict[int, list[str]] = {}
    for symbol, bits in changed.items():
        groups.setdefault(bits, []).append(symbol)
    module.mark_functions(USED, [(list(from_bits(bits)), names) for bits, names in groups.items()])

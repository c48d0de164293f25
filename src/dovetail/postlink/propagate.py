"""Which aspects each function uses: what its own metadata lists, and what the functions that it may
call use.

In: a linked program. Out: the same with `!sycl_used_aspects` on every function that uses any, with
`!sycl_conditionally_used_aspects` where code is entered and some is used on some devices alone, and
those sets. Linear in functions and calls where there are no conditional calls.
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
    """What functions use."""

    used: dict[str, int]
    """On all devices, as bits, by function; without those that use nothing."""
    conditional: dict[str, ConditionalUses]
    """On some devices alone, by function and condition; without those that do not."""


def propagate_aspects(
    linked: LinkedProgram, calls: Calls, table: Table | None = None
) -> Propagated:
    """The aspects that functions use, also in the metadata of the linked module.

    `table` is what is known of devices, if that is not the default configuration.
    """
    listed = used_aspects(linked.module)
    used, conditional = _gathered(linked, calls, listed)
    uncertain = simplify(conditional, table or default_table()) if conditional else {}
    _label(linked, listed, used)
    _label_conditional(linked, uncertain)
    return Propagated(used, uncertain)


def _gathered(linked: LinkedProgram, calls: Calls, listed: Mapping[str, int]) -> Propagated:
    names = calls.graph.names
    own = [listed.get(name, 0) for name in names]
    for symbol, promises in linked.promises.items():
        # Linking leaves behind what nothing refers to.
        if symbol in calls.number_of:
            for promise in promises:
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
    """Write it where code is entered, and where inputs had it."""
    labelled = {root.symbol for root in linked.roots}
    labelled |= linked.module.function_metadata(CONDITIONALLY_USED).keys()
    set_conditionally_used(
        linked.module, {symbol: uncertain[symbol] for symbol in uncertain if symbol in labelled}
    )


def _label(linked: LinkedProgram, listed: Mapping[str, int], used: Mapping[str, int]) -> None:
    """Write what is new, in today's spelling alone."""
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

"""Which aspects each function uses: what its own metadata lists, and what the functions that it may
call use.

In: a linked program. Out: the same with `!sycl_used_aspects` on every function that uses any, and
those sets. Linear in functions and calls.
"""

from dovetail.device_metadata import OTHER_USED, USED, used_aspects
from dovetail.graphs import from_bits, gather
from dovetail.postlink.calls import Calls, add_written_calls
from dovetail.postlink.link import LinkedProgram


def propagate_aspects(linked: LinkedProgram, calls: Calls) -> dict[str, int]:
    """The aspects that functions use, as bits, by function; without those that use none."""
    listed = used_aspects(linked.module)
    used = _gathered(linked, calls, listed)
    _label(linked, listed, used)
    return used


def _gathered(linked: LinkedProgram, calls: Calls, listed: dict[str, int]) -> dict[str, int]:
    names = calls.graph.names
    own = [listed.get(name, 0) for name in names]
    for symbol, promises in linked.promises.items():
        # Linking leaves behind what nothing refers to.
        if symbol in calls.number_of:
            for promise in promises:
                own[calls.number_of[symbol]] |= promise.aspects or 0
    own += [0] * (calls.node_count - len(own))
    sources, targets = calls.edges()
    add_written_calls(linked.written_facts, calls, own, sources, targets)
    gathered = gather(own, sources, targets)
    return {name: bits for name, bits in zip(names, gathered, strict=False) if bits}


def _label(linked: LinkedProgram, listed: dict[str, int], used: dict[str, int]) -> None:
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

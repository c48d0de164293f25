"""Put on each function what it uses, declares and requires, before optimisation loses the calls.

In: a module whose kernels have their entry points, and the facts of its source. Out: the same with
metadata as DPC++ writes it: `!sycl_used_aspects` (all that a function and the functions it calls
use), `!sycl_declared_aspects`, `!reqd_work_group_size`, `!work_group_num_dim`,
`!work_group_size_hint` and `!intel_reqd_sub_group_size`; and, in the named metadata
`!dovetail.functions`, the facts themselves: every use with its place, and the calls as written.
They travel with the module, so that whoever links it can tell where an aspect is used although
inlining removed the call.

With `reading=optimized`, run after the optimiser, a function uses what is left of it: the types
that its instructions touch, and what it declares.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from dovetail.analysis import Uses, build_graph
from dovetail.errors import UsageError
from dovetail.facts import Facts, FunctionFact, KernelFact, functions_text
from dovetail.ir import CallGraph, Module
from dovetail.passes.base import ASPECT_READINGS, ModulePass, PassContext
from dovetail.targets import aspect_number

FUNCTIONS = "dovetail.functions"
"""The named metadata with a text for each source."""

USED = "sycl_used_aspects"

_DIMENSIONS = 3
_ASPECT_OF_TYPE = {"half": "fp16", "double": "fp64", "atomic i64": "atomic64"}


@dataclass(frozen=True)
class AttachAspects(ModulePass):
    """What functions use becomes metadata."""

    name: ClassVar[str] = "attach-aspects"
    reading: str = "written"
    """`written`: what the source says; `optimized`: what is left of it."""

    def apply(self, context: PassContext, module: Module) -> None:
        if self.reading == "written":
            _attach_facts(module, context.facts)
        elif self.reading == "optimized":
            module.set_function_metadata(USED, _left_in_code(module))
        else:
            raise UsageError(
                f"there is no reading '{self.reading}'",
                hint=f"readings: {', '.join(ASPECT_READINGS)}",
            )


def _attach_facts(module: Module, facts: Facts) -> None:
    defined = {function.name for function in module.functions() if not function.is_declaration}
    graph = build_graph([facts])
    uses = Uses(graph)
    used = {node.fact.symbol: uses.of(number) for number, node in enumerate(graph.nodes)}
    declared = {f.symbol: f.declared.aspects for f in facts.functions if f.declared}
    for kernel in facts.kernels:
        _add_kernel(kernel, facts, used, declared)
    _set(module, USED, used, defined)
    _set(module, "sycl_declared_aspects", declared, defined)
    _attach_sizes(module, facts, defined)
    if facts.functions:
        module.set_named_metadata(FUNCTIONS, [[functions_text(facts.functions)]])


def _add_kernel(
    kernel: KernelFact,
    facts: Facts,
    used: dict[str, tuple[int, ...]],
    declared: dict[str, tuple[int, ...]],
) -> None:
    """An entry point uses what its function uses, and declares what the user's code declares."""
    if kernel.function is None:
        return
    used[kernel.entry_symbol] = used.get(facts.functions[kernel.function].symbol, ())
    promise = _written(kernel, facts).declared
    if promise:
        declared[kernel.entry_symbol] = promise.aspects


def _written(kernel: KernelFact, facts: Facts) -> FunctionFact:
    """The function that the user wrote: of a kernel object its `operator()`."""
    index = kernel.function if kernel.object_function is None else kernel.object_function
    assert index is not None
    return facts.functions[index]


def _attach_sizes(module: Module, facts: Facts, defined: set[str]) -> None:
    """Sizes in the order of devices, which is the reverse of SYCL's."""
    sizes: dict[str, Sequence[int]] = {}
    dimensions: dict[str, Sequence[int]] = {}
    hints: dict[str, Sequence[int]] = {}
    sub_groups: dict[str, Sequence[int]] = {}
    for kernel in facts.kernels:
        if kernel.function is None:
            continue
        written = _written(kernel, facts)
        if written.reqd_work_group_size:
            sizes[kernel.entry_symbol] = _for_devices(written.reqd_work_group_size)
            dimensions[kernel.entry_symbol] = [len(written.reqd_work_group_size)]
        if written.work_group_size_hint:
            hints[kernel.entry_symbol] = _for_devices(written.work_group_size_hint)
        if written.reqd_sub_group_size:
            sub_groups[kernel.entry_symbol] = [written.reqd_sub_group_size]
    _set(module, "reqd_work_group_size", sizes, defined)
    _set(module, "work_group_num_dim", dimensions, defined)
    _set(module, "work_group_size_hint", hints, defined)
    _set(module, "intel_reqd_sub_group_size", sub_groups, defined)


def _for_devices(size: Iterable[int]) -> list[int]:
    numbers = list(size)[::-1]
    return numbers + [1] * (_DIMENSIONS - len(numbers))


def _set(module: Module, kind: str, nodes: Mapping[str, Sequence[int]], defined: set[str]) -> None:
    """Metadata on functions that the module has; a function that nothing calls may be gone."""
    present = {symbol: node for symbol, node in nodes.items() if symbol in defined}
    if kind == USED:
        present = {symbol: node for symbol, node in present.items() if node}
    module.set_function_metadata(kind, present)


def _left_in_code(module: Module) -> dict[str, list[int] | None]:
    """What each function uses by what is in the module now, and what it declares."""
    used: dict[str, set[int]] = {function.name: set() for function in module.functions()}
    for symbol, types in module.scalar_types().items():
        used[symbol].update(aspect_number(_ASPECT_OF_TYPE[name]) for name in types)
    for symbol, node in module.function_metadata("sycl_declared_aspects").items():
        used[symbol].update(number for number in node if isinstance(number, int))
    _propagate(used, CallGraph.of(module).callees())
    return {
        function.name: sorted(used[function.name]) or None
        for function in module.functions()
        if not function.is_declaration
    }


def _propagate(used: dict[str, set[int]], callees: Mapping[str, Sequence[str]]) -> None:
    """Give to each function what those that it calls use; a set grows only a few times."""
    callers: dict[str, list[str]] = {name: [] for name in used}
    for caller, called in callees.items():
        for callee in called:
            callers[callee].append(caller)
    pending = [name for name, aspects in used.items() if aspects]
    while pending:
        name = pending.pop()
        for caller in callers[name]:
            if not used[name] <= used[caller]:
                used[caller] |= used[name]
                pending.append(caller)

"""Attach aspects, required sizes and facts to functions, before optimization removes calls.

In: a module whose kernels have entry points, and the facts about its source. Out: the module with

- `!sycl_used_aspects` on functions: the aspects that they and their callees use,
- `!sycl_conditionally_used_aspects` on entry points and SYCL_EXTERNAL functions: the aspects that
  they use through conditional calls,
- `!sycl_declared_aspects`, `!reqd_work_group_size`, `!work_group_num_dim`, `!work_group_size_hint`
  and `!intel_reqd_sub_group_size`: what functions declare and kernels require,
- the attribute `sycl-module-id` on entry points and SYCL_EXTERNAL functions: their source,
- the named metadata `!dovetail.facts`: the facts, so that post-link can report where an aspect is
  used even if inlining removed the call.

With `reading=optimized`, only uses by marked types and functions count, which optimization
preserves; `optimize` adds those of callees, and `remaining-types` the types that are left.

With `resolve=TARGET`, a conditional call counts as a call if its condition holds on the target, and
is ignored otherwise.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from dovetail import conditions
from dovetail.analysis import ConditionalUses, Graph, Uses, build_graph
from dovetail.device_metadata import (
    MODULE_ID,
    USED,
    set_conditionally_used,
    set_facts,
    set_kernel_properties,
)
from dovetail.errors import UsageError
from dovetail.facts import Facts, FunctionFact, KernelFact
from dovetail.graphs import from_bits
from dovetail.ir import Module
from dovetail.kernel_properties import KernelProperties
from dovetail.passes.base import ModulePass, PassContext, external_name, unique_part
from dovetail.passes.standard_pipeline import ASPECT_USE_MODES
from dovetail.targets import Table, Target


@dataclass(frozen=True)
class AttachAspects(ModulePass):
    """Attach aspects, required sizes and facts as metadata."""

    name: ClassVar[str] = "attach-aspects"
    reading: str = "written"
    """`written`: uses in the source; `optimized`: uses that remain after optimization."""
    resolve: str = ""
    """The target to resolve conditions for; empty to keep them."""

    def apply(self, context: PassContext, module: Module) -> None:
        if self.reading not in ASPECT_USE_MODES:
            raise UsageError(
                f"option 'reading': expected {' or '.join(ASPECT_USE_MODES)}, got '{self.reading}'"
            )
        facts, unique = context.facts, unique_part(context, module)
        functions = module.functions()
        defined = {function.name for function in functions if not function.is_declaration}
        names = {fact.symbol: _name_in(defined, fact, unique) for fact in facts.functions}
        if self.reading == "written":
            _attach_written(module, context, names, defined, self.resolve)
        else:
            retained = {names[f.symbol]: f.retained for f in facts.functions if f.retained}
            _set(module, USED, retained, defined)
        # Functions that another source defines are in the module, and can declare aspects.
        there = {function.name for function in functions}
        properties = _properties(facts, names).items()
        set_kernel_properties(module, {s: each for s, each in properties if s in there})
        _name_source(module, facts)
        if facts.functions or facts.kernels:
            set_facts(module, facts, self.reading)


def _attach_written(
    module: Module, context: PassContext, names: Mapping[str, str], defined: set[str], resolve: str
) -> None:
    """Attach the used aspects by the calls in the source."""
    facts = context.facts
    graph = build_graph([facts])
    uses = Uses(graph)
    aspects_of = uses.of
    if resolve:
        aspects_of = partial(_used_on, uses, context.targets[resolve], context.targets)
    used = {names[node.fact.symbol]: aspects_of(number) for number, node in enumerate(graph.nodes)}
    for kernel in facts.kernels:
        # An entry point uses what its function uses.
        if kernel.function is not None:
            used[kernel.entry_symbol] = used.get(facts.functions[kernel.function].symbol, ())
    _set(module, USED, {symbol: node for symbol, node in used.items() if node}, defined)
    if not resolve:
        _attach_conditional(module, graph, uses.simplified_conditional(context.targets), defined)


def _used_on(uses: Uses, target: Target, table: Table, number: int) -> tuple[int, ...]:
    """Return the aspects that a function uses on a target."""
    used = {*uses.of(number)}
    for condition, bits in uses.conditional(number).items():
        if conditions.resolve(condition, target, table).holds:
            used.update(from_bits(bits))
    return tuple(sorted(used))


def _attach_conditional(
    module: Module, graph: Graph, uncertain: Mapping[int, ConditionalUses], defined: set[str]
) -> None:
    """Attach conditionally used aspects to entry points and SYCL_EXTERNAL functions."""
    entries = {
        node.fact.symbol: number for number, node in enumerate(graph.nodes) if node.fact.is_external
    }
    entries |= {kernel.fact.entry_symbol: kernel.function for kernel in graph.kernels}
    set_conditionally_used(
        module,
        {
            symbol: uncertain[number]
            for symbol, number in entries.items()
            if number in uncertain and symbol in defined
        },
    )


def _name_in(defined: set[str], fact: FunctionFact, unique: str) -> str:
    """Return a function's name in the module, which `conditional-callers` may have changed."""
    name = external_name(fact.symbol, unique)
    return name if fact.is_internal and name in defined else fact.symbol


def _name_source(module: Module, facts: Facts) -> None:
    """Attach the source's name to entry points and SYCL_EXTERNAL functions, as DPC++ does."""
    external = {fact.symbol for fact in facts.functions if fact.is_external}
    external |= {kernel.entry_symbol for kernel in facts.kernels}
    functions = [function for function in module.functions() if function.name in external]
    module.set_function_attributes({f.name: {MODULE_ID: module.name} for f in functions})
    # The optimizer would remove an inline function that only other programs call.
    module.set_linkage({f.name: "weak_odr" for f in functions if f.linkage == "linkonce_odr"})


def _properties(facts: Facts, names: Mapping[str, str]) -> dict[str, KernelProperties]:
    """Return the properties of functions and kernels by symbol."""
    properties = {
        names[f.symbol]: KernelProperties(f.declared.aspects) for f in facts.functions if f.declared
    }
    entries = {kernel.entry_symbol: _properties_of(kernel, facts) for kernel in facts.kernels}
    return properties | entries


def _properties_of(kernel: KernelFact, facts: Facts) -> KernelProperties:
    """Return a kernel's properties, from SYCL properties and attributes."""
    found = KernelProperties()
    for function in _functions_of(kernel, facts):
        found = KernelProperties(
            function.declared.aspects if function.declared else found.aspects,
            function.reqd_work_group_size or found.work_group_size,
            function.work_group_size_hint or found.work_group_size_hint,
            function.reqd_sub_group_size or found.sub_group_size,
        )
    return found


def _functions_of(kernel: KernelFact, facts: Facts) -> list[FunctionFact]:
    """Return the functions with a kernel's requirements.

    These are its own function, to which the headers attach properties, and the user's
    `operator()`.
    """
    indices = (kernel.function, kernel.object_function)
    return [facts.functions[index] for index in indices if index is not None]


def _set(module: Module, kind: str, nodes: Mapping[str, Sequence[int]], present: set[str]) -> None:
    """Set metadata on those functions that are present; clang drops uncalled functions."""
    module.set_function_metadata(
        kind, {symbol: node for symbol, node in nodes.items() if symbol in present}
    )

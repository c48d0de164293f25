"""Put on each function what it uses, declares and requires, before optimisation loses the calls.

In: a module whose kernels have their entry points, and the facts of its source. Out: the same with
metadata as DPC++ writes it: `!sycl_used_aspects` (all that a function and the functions it calls
use), on entry points and SYCL_EXTERNAL functions `!sycl_conditionally_used_aspects` (what they use
on some devices alone, behind conditional calls), `!sycl_declared_aspects`, `!reqd_work_group_size`,
`!work_group_num_dim`, `!work_group_size_hint` and `!intel_reqd_sub_group_size`; the attribute
`sycl-module-id`, the source, on entry points and SYCL_EXTERNAL functions; and, in the named
metadata `!dovetail.facts`, the facts themselves: every kernel, every use with its place, and the
calls as written. They travel with the module, so that whoever links it can tell where an aspect is
used although inlining removed the call.

With `reading=optimized`, run after the optimiser, a function uses what is left of it: the types
that its instructions touch, and what it declares.

With `resolve=TARGET`, conditional calls count as calls if their conditions hold on that target,
else not at all.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from dovetail import conditions
from dovetail.analysis import ConditionalUses, Edges, Graph, Uses, build_graph, simplify
from dovetail.device_metadata import (
    CONDITIONAL_CALLER,
    MODULE_ID,
    USED,
    conditional_calls,
    declared_aspects,
    set_conditionally_used,
    set_facts,
    set_kernel_properties,
    set_reading,
)
from dovetail.errors import UsageError
from dovetail.facts import Facts, FunctionFact, KernelFact
from dovetail.graphs import from_bits, to_bits
from dovetail.ir import CallGraph, Module
from dovetail.kernel_properties import KernelProperties
from dovetail.passes.base import ModulePass, PassContext, external_name, unique_part
from dovetail.passes.standard import ASPECT_READINGS
from dovetail.targets import Table, Target, aspect_number

_ASPECT_OF_TYPE = {"half": "fp16", "double": "fp64", "atomic i64": "atomic64"}


@dataclass(frozen=True)
class AttachAspects(ModulePass):
    """What functions use becomes metadata."""

    name: ClassVar[str] = "attach-aspects"
    reading: str = "written"
    """`written`: what the source says; `optimized`: what is left of it."""
    resolve: str = ""
    """A target; empty if conditions are to stay."""

    def apply(self, context: PassContext, module: Module) -> None:
        if self.reading == "written":
            _attach_facts(module, context, self.resolve)
        elif self.reading == "optimized":
            _attach_what_is_left(module, context)
            set_reading(module, self.reading)
        else:
            raise UsageError(
                f"there is no reading '{self.reading}'",
                hint=f"readings: {', '.join(ASPECT_READINGS)}",
            )


def _attach_facts(module: Module, context: PassContext, resolve: str) -> None:
    facts, unique = context.facts, unique_part(context, module)
    functions = module.functions()
    defined = {function.name for function in functions if not function.is_declaration}
    graph = build_graph([facts])
    uses = Uses(graph)
    names = {fact.symbol: _name_in(defined, fact, unique) for fact in facts.functions}
    of = partial(_used_on, uses, context.targets[resolve], context.targets) if resolve else uses.of
    used = {names[node.fact.symbol]: of(number) for number, node in enumerate(graph.nodes)}
    properties = {
        names[f.symbol]: KernelProperties(f.declared.aspects) for f in facts.functions if f.declared
    }
    for kernel in facts.kernels:
        properties[kernel.entry_symbol] = _properties_of(kernel, facts)
        if kernel.function is not None:
            used[kernel.entry_symbol] = used.get(facts.functions[kernel.function].symbol, ())
    # A function that nothing calls may be gone.
    module.set_function_metadata(
        USED, {symbol: node for symbol, node in used.items() if node and symbol in defined}
    )
    if not resolve:
        _attach_conditional(module, graph, uses.uncertain(context.targets), defined)
    # Of a function that another source defines, what it promises is all that is known here.
    there = {function.name for function in functions}
    set_kernel_properties(module, {s: each for s, each in properties.items() if s in there})
    _name_source(module, facts)
    if facts.functions or facts.kernels:
        set_facts(module, facts, "written")


def _used_on(uses: Uses, target: Target, table: Table, number: int) -> tuple[int, ...]:
    """What a function uses on a target."""
    used = {*uses.of(number)}
    for condition, bits in uses.conditional(number).items():
        if conditions.resolve(condition, target, table).holds:
            used.update(from_bits(bits))
    return tuple(sorted(used))


def _attach_conditional(
    module: Module, graph: Graph, uncertain: Mapping[int, ConditionalUses], defined: set[str]
) -> None:
    """Where code is entered, say what is used on some devices alone."""
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
    """What the module calls it: conditional calls make internal functions external."""
    name = external_name(fact.symbol, unique)
    return name if fact.is_internal and name in defined else fact.symbol


def _name_source(module: Module, facts: Facts) -> None:
    """Say which source entry points and SYCL_EXTERNAL functions are from, as DPC++ does."""
    external = {fact.symbol for fact in facts.functions if fact.is_external}
    external |= {kernel.entry_symbol for kernel in facts.kernels}
    functions = [function for function in module.functions() if function.name in external]
    module.set_function_attributes({f.name: {MODULE_ID: module.name} for f in functions})
    # The optimiser drops an inline function that nothing here calls; another program may.
    module.set_linkage({f.name: "weak_odr" for f in functions if f.linkage == "linkonce_odr"})


def _properties_of(kernel: KernelFact, facts: Facts) -> KernelProperties:
    """Return what the user's code declares and requires of a kernel, by property or attribute."""
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
    """Those that say what a kernel requires.

    Its own function, on which the headers put properties, and its object's `operator()`, which the
    user wrote.
    """
    indices = (kernel.function, kernel.object_function)
    return [facts.functions[index] for index in indices if index is not None]


def _attach_what_is_left(module: Module, context: PassContext) -> None:
    """What each function uses by what is in the module now, and what it declares."""
    graph = CallGraph.of(module, CONDITIONAL_CALLER)
    numbers = {name: number for number, name in enumerate(graph.names)}
    own = [0] * len(graph.names)
    for symbol, types in module.scalar_types().items():
        own[numbers[symbol]] |= to_bits(aspect_number(_ASPECT_OF_TYPE[name]) for name in types)
    for symbol, aspects in declared_aspects(module).items():
        own[numbers[symbol]] |= aspects
    edges = Edges(*graph.edges())
    for call in conditional_calls(module):
        edges.add(numbers[call.caller], call.condition, numbers[call.action])
    used, conditional = edges.gather(own)
    functions = [f.name for f in module.functions() if not f.is_declaration]
    module.set_function_metadata(
        USED, {name: list(from_bits(used[numbers[name]])) or None for name in functions}
    )
    entered = module.function_attributes(MODULE_ID)
    uses = {graph.names[number]: by_condition for number, by_condition in conditional.items()}
    set_conditionally_used(
        module,
        simplify({name: uses[name] for name in uses if name in entered}, context.targets),
    )

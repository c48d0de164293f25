"""Lower hierarchical kernels, in which one work-item of a work-group runs code for all.

In: functions at work-group scope, marked with `dovetail-work-group-scope`, which all work-items of
a group enter, and collective functions, marked with `dovetail-collective`, which all of them have
to call: the bodies of `parallel_for_work_item`, for example. Out: the leader of each group runs the
code at work-group scope. Before each collective call, all work-items meet at a barrier, receive the
arguments and make the call; after another barrier, the leader continues. It also decides for all of
them where the code branches around such calls. Variables at work-group scope whose address is used,
by captures for example, lie in local memory; `private_memory` lies in a frame of each work-item.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from dovetail.ir import CallGraph, Module
from dovetail.passes.base import ModulePass, PassContext
from dovetail.passes.device_abi import LOCAL_ADDRESS_SPACE, abi_of

GROUP_SCOPE = "dovetail-work-group-scope"
COLLECTIVE = "dovetail-collective"
ALLOCATE = "__dovetail_allocatePrivate"
FRAME = "__dovetail_privateFrame"
BARRIER = "__dovetail_groupBarrier"


@dataclass(frozen=True)
class GroupScope(ModulePass):
    """Have the leader of a work-group run the code at work-group scope."""

    name: ClassVar[str] = "group-scope"

    def apply(self, context: PassContext, module: Module) -> None:
        functions = module.function_attributes(GROUP_SCOPE).keys()
        if not functions:
            return
        collective = module.function_attributes(COLLECTIVE).keys()
        _inline_callers(module, functions, collective)
        module.lower_group_scope(
            sorted(functions),
            collective=sorted(collective),
            allocate=ALLOCATE,
            frame=FRAME,
            barrier=BARRIER,
            local_space=LOCAL_ADDRESS_SPACE,
            generic_space=abi_of(module).generic_address_space,
        )


def _inline_callers(module: Module, functions: Iterable[str], collective: Iterable[str]) -> None:
    """Inline all functions between work-group scope and the calls that are rewritten there."""
    names = {function.name for function in module.functions()}
    rewritten = {*collective, ALLOCATE, FRAME} & names
    graph = CallGraph.of(module)
    callers = graph.reachable(functions) & graph.users(rewritten)
    module.inline_functions(sorted(callers - {*functions, *rewritten, BARRIER}))

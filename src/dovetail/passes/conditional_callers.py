"""Turn what is called on some devices alone into conditional calls.

In: functions with the attribute `sycl-call-if-on-device-conditionally`, each of which does nothing
but call its action, and their calls, whose last arguments are the integers of a condition. Out: the
functions are gone, and where they were called there is

    call void @call_if_on_device_conditionally_PREFIX_N(ptr @action, ARGUMENTS…, i32 N1, i32 N2, …)

of a function that is declared alone, so that nothing of the action gets into its callers and the
condition stays. The condition is in normal form; where it always holds, the call is a plain one,
and where it never does, there is none. The bodies of the functions are inlined: so the action gets
its arguments as the family's calling convention and C++'s copies have them.

Each action and condition has a function of its own. The optimiser merges calls of one function in
the two branches of an `if` into one with selected arguments; those of two functions it leaves.

With `resolve=TARGET`, all conditions are decided for that target: calls are plain ones, or gone.

Runs before anything is inlined. Internal actions become external, under names that no other source
has, since they may come into another image than the code that calls them.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from dovetail import conditions
from dovetail.device_metadata import CONDITIONAL_CALLER
from dovetail.errors import FormatError, IRError
from dovetail.facts import Facts
from dovetail.ir import ConditionalCaller, Module, demangle
from dovetail.passes.base import ModulePass, PassContext, external_name, unique_part

_NAME = "call_if_on_device_conditionally"
_LOCAL = ("internal", "private")

Expansion = bool | tuple[str, tuple[int, ...]]
"""A plain call, none, or one of a function with a condition."""
Expansions = dict[tuple[str, tuple[int, ...]], Expansion]
"""By caller and condition."""
Call = tuple[str, "conditions.Condition"]
"""A caller, and a condition that it is called with."""


@dataclass(frozen=True)
class ConditionalCallers(ModulePass):
    """Calls of functions with the attribute become conditional calls."""

    name: ClassVar[str] = "conditional-callers"
    resolve: str = ""
    """A target; empty if conditions are to stay."""

    def apply(self, context: PassContext, module: Module) -> None:
        callers = module.conditional_callers(CONDITIONAL_CALLER)
        if not callers:
            return
        _check(callers)
        unique = unique_part(context, module)
        calls = list(_calls(callers))
        module.expand_conditional_callers(
            CONDITIONAL_CALLER,
            self._decided(context, calls) if self.resolve else _conditional(calls, unique),
        )
        _make_external(module, context.facts, unique)

    def _decided(self, context: PassContext, calls: Iterable[Call]) -> Expansions:
        target = context.targets[self.resolve]
        return {
            (caller, condition): conditions.resolve(condition, target, context.targets).holds
            for caller, condition in calls
        }


def _conditional(calls: Iterable[Call], unique: str) -> Expansions:
    """Functions are numbered from 1, one for each caller and what its conditions come to."""
    names: dict[tuple[str, conditions.Normal], str] = {}
    expansions: Expansions = {}
    normalize = cache(conditions.normalize)  # many lambdas have the same
    for caller, condition in calls:
        normal = normalize(condition)
        if isinstance(normal, bool):
            expansions[caller, condition] = normal
        else:
            name = names.setdefault((caller, normal), f"{_NAME}_{unique}_{len(names) + 1}")
            expansions[caller, condition] = (name, normal)
    return expansions


def _calls(callers: Iterable[ConditionalCaller]) -> Iterator[Call]:
    """The callers with each of their conditions, once."""
    for caller in callers:
        places = {condition: place for place, condition in reversed(caller.calls)}
        for condition in dict.fromkeys(condition for _, condition in caller.calls):
            try:
                yield caller.name, conditions.read_condition(_constants(condition))
            except FormatError as error:
                where, what = demangle([places[condition], caller.name])
                message = f"in '{where}', call of '{what}': {error.message}"
                raise IRError(message, hint=error.hint) from None


def _constants(condition: Sequence[int | None]) -> list[int]:
    numbers = [number for number in condition if number is not None]
    if len(numbers) < len(condition):
        raise FormatError("the integers of its condition have to be constants")
    return numbers


def _check(callers: Sequence[ConditionalCaller]) -> None:
    names = {caller.name for caller in callers}
    for caller in callers:
        problem = _problem(caller, names)
        if problem:
            (name,) = demangle([caller.name])
            raise IRError(
                f"'{name}' has the attribute {CONDITIONAL_CALLER}, but {problem}",
                hint="it has to call a lambda or another function object, and do nothing else",
            )


def _problem(caller: ConditionalCaller, callers: set[str]) -> str:
    if caller.call_count != 1:
        return f"it makes {caller.call_count} calls, not one"
    if caller.action is None:
        return "it calls through a pointer, or uses or returns a value of the call"
    if caller.action in callers:
        return "it calls a function that has the attribute too"
    return "its address is taken" if caller.is_referenced else ""


def _make_external(module: Module, facts: Facts, unique: str) -> None:
    actions = {call.action for call in module.conditional_calls(CONDITIONAL_CALLER)}
    local = [f.name for f in module.functions() if f.name in actions and f.linkage in _LOCAL]
    # Clang keeps lambdas of functions that are there once internal, though their names are unique.
    unlike_others = {fact.symbol for fact in facts.functions if not fact.is_internal}
    module.set_linkage(dict.fromkeys(local, "external"))
    module.rename(
        {name: external_name(name, unique) for name in local if name not in unlike_others}
    )

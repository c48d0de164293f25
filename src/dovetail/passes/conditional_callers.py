"""Generate conditional calls, which call a function only on some devices.

In: calls of conditional callers: functions with the attribute
`sycl-call-if-on-device-conditionally` that do nothing but call an action. Their last arguments are
the integers of a condition. Out: no conditional callers; their calls are replaced by

    call void @call_if_on_device_conditionally_PREFIX_N(ptr @action, ARGUMENTS…, i32 N1, i32 N2, …)

The called function is only declared, so the optimizer can neither inline the action nor drop the
condition. The condition is in normal form. If it is always true, the call is a direct one; if it is
always false, the call is removed. The bodies of conditional callers are inlined, so the action
receives its arguments according to the calling convention and C++'s rules for copies.

Each pair of action and condition has its own function: in the branches of an `if`, the optimizer
would merge two calls of one function into a single call with selected arguments.

With `resolve=TARGET`, all conditions are resolved for the target: calls become direct or disappear.

Runs before inlining. Internal actions become external, with unique names, because they may be in
another image than their callers.
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
"""True for a direct call, False for none, or the function and condition of a conditional call."""
Expansions = dict[tuple[str, tuple[int, ...]], Expansion]
"""Expansions by caller and condition."""
Call = tuple[str, "conditions.Condition"]
"""A conditional caller, and the condition in a call of it."""


@dataclass(frozen=True)
class ConditionalCallers(ModulePass):
    """Replace calls of conditional callers by conditional calls."""

    name: ClassVar[str] = "conditional-callers"
    resolve: str = ""
    """The target to resolve conditions for; empty to keep them."""

    def apply(self, context: PassContext, module: Module) -> None:
        callers = module.conditional_callers(CONDITIONAL_CALLER)
        if not callers:
            return
        _check(callers)
        unique = unique_part(context, module)
        calls = list(_calls(callers))
        module.expand_conditional_callers(
            CONDITIONAL_CALLER,
            self._resolved(context, calls) if self.resolve else _conditional(calls, unique),
        )
        _make_external(module, context.facts, unique)

    def _resolved(self, context: PassContext, calls: Iterable[Call]) -> Expansions:
        target = context.targets[self.resolve]
        return {
            (caller, condition): conditions.resolve(condition, target, context.targets).holds
            for caller, condition in calls
        }


def _conditional(calls: Iterable[Call], unique: str) -> Expansions:
    """Return expansions with a function for each caller and normalized condition."""
    names: dict[tuple[str, conditions.Normal], str] = {}
    expansions: Expansions = {}
    normalize = cache(conditions.normalize)  # many calls have the same condition
    for caller, condition in calls:
        normal = normalize(condition)
        if isinstance(normal, bool):
            expansions[caller, condition] = normal
        else:
            name = names.setdefault((caller, normal), f"{_NAME}_{unique}_{len(names) + 1}")
            expansions[caller, condition] = (name, normal)
    return expansions


def _calls(callers: Iterable[ConditionalCaller]) -> Iterator[Call]:
    """Yield each pair of a caller and a condition once."""
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
        raise FormatError("the integers of its condition are not constant")
    return numbers


def _check(callers: Sequence[ConditionalCaller]) -> None:
    """Raise `IRError` if a caller does more than calling one action."""
    names = {caller.name for caller in callers}
    for caller in callers:
        problem = _problem(caller, names)
        if problem:
            (name,) = demangle([caller.name])
            raise IRError(
                f"'{name}' has the attribute {CONDITIONAL_CALLER}, but {problem}",
                hint="it must call a lambda or another function object, and do nothing else",
            )


def _problem(caller: ConditionalCaller, callers: set[str]) -> str:
    if caller.call_count != 1:
        return f"contains {caller.call_count} calls instead of one"
    if caller.action is None:
        return "calls through a pointer, or uses or returns the result of the call"
    if caller.action in callers:
        return "calls another function with the attribute"
    return "its address is taken" if caller.is_referenced else ""


def _make_external(module: Module, facts: Facts, unique: str) -> None:
    """Give local actions external linkage, and names that are unique in a program."""
    actions = {call.action for call in module.conditional_calls(CONDITIONAL_CALLER)}
    local = [f.name for f in module.functions() if f.name in actions and f.linkage in _LOCAL]
    # Clang makes lambdas of external functions internal, but their names are unique.
    unique_names = {fact.symbol for fact in facts.functions if not fact.is_internal}
    module.set_linkage(dict.fromkeys(local, "external"))
    module.rename({name: external_name(name, unique) for name in local if name not in unique_names})

"""Resolve conditions at build time, for targets whose code is compiled ahead of time.

In: a linked program that is not split yet. Out: a copy of it for some targets, in which conditional
calls are direct calls or removed, both in the IR and in the facts. Targets for which all conditions
have the same outcome share a copy.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import product
from typing import NamedTuple

from dovetail import conditions
from dovetail.analysis import UNKNOWN_ARCHITECTURE, UNKNOWN_ASPECT, Finding, aspect_text
from dovetail.conditions import Condition
from dovetail.device_metadata import CONDITIONAL_CALLER, CONDITIONALLY_USED, conditional_calls
from dovetail.facts import Call, Facts, FunctionFact, Place
from dovetail.ir import Module
from dovetail.postlink.link import LinkedProgram
from dovetail.resources import include_directory
from dovetail.targets import Table, Target

Outcome = dict[Condition, bool]
"""Whether each condition holds."""


class Variant(NamedTuple):
    """Targets for which all conditions of a program have the same outcome."""

    targets: tuple[Target, ...]
    outcome: Outcome

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the targets."""
        return tuple(target.name for target in self.targets)


def conditions_in(linked: LinkedProgram) -> list[Condition]:
    """Return the conditions of all calls in a program and its sources, each once."""
    in_sources = (
        call.condition
        for facts in linked.facts_by_input
        for function in facts.functions
        for call in function.calls
        if call.condition
    )
    in_code = (call.operands for call in conditional_calls(linked.module))
    return [conditions.read_condition(each) for each in dict.fromkeys((*in_sources, *in_code))]


def variants_of(
    written: Iterable[Condition], targets: Iterable[Target], table: Table
) -> list[Variant]:
    """Group targets by the outcomes of conditions."""
    each_once = list(written)
    groups: dict[tuple[bool, ...], list[Target]] = {}
    for target in targets:
        outcome = tuple(conditions.resolve(each, target, table).holds for each in each_once)
        groups.setdefault(outcome, []).append(target)
    return [
        Variant(tuple(members), dict(zip(each_once, outcome, strict=True)))
        for outcome, members in groups.items()
    ]


def unknown_conditions(
    linked: LinkedProgram, written: Iterable[Condition], targets: Iterable[Target], table: Table
) -> Iterator[Finding]:
    """Yield a finding for each condition that depends on an unknown feature of a target."""
    for target, condition in product(targets, written):
        if conditions.architecture_matters(condition, target):
            yield Finding(
                UNKNOWN_ARCHITECTURE,
                f"whether '{conditions.in_words(condition)}' holds for '{target.name}' depends on"
                " its architecture, which is unknown",
                _place_of(linked, condition),
            )
            continue
        unknown = conditions.resolve(condition, target, table).assumed_missing
        if unknown:
            names = " and ".join(f"'{aspect_text(aspect)}'" for aspect in unknown)
            yield Finding(
                UNKNOWN_ASPECT,
                f"whether '{conditions.in_words(condition)}' holds for '{target.name}' depends on"
                f" {names}, which it may have; it is assumed not to",
                _place_of(linked, condition),
            )


def _place_of(linked: LinkedProgram, condition: Condition) -> Place:
    """Return where the user's code first uses a condition, or the first input."""
    for facts in linked.facts_by_input:
        for number, function in enumerate(facts.functions):
            for call in function.calls:
                if call.condition == condition:
                    return _place_in_user_code(facts, number, call.place)
    return Place(linked.inputs[0], 0, 0)


def _place_in_user_code(facts: Facts, caller: int, place: Place) -> Place:
    """Return the place in the user's code that leads to a call in Dovetail's headers."""
    calls = [(n, call) for n, function in enumerate(facts.functions) for call in function.calls]
    first_call = {call.callee: (n, call.place) for n, call in reversed(calls)}
    seen: set[int] = set()
    while place.file.startswith(f"{include_directory()}/") and caller in first_call.keys() - seen:
        seen.add(caller)
        caller, place = first_call[caller]
    return place


def resolve_conditions(linked: LinkedProgram, variant: Variant) -> LinkedProgram:
    """Return a copy of a program in which all conditions are resolved."""
    module = linked.module
    copy = Module.parse(module.context, module.to_bitcode(), module.name)
    outcome = variant.outcome
    copy.rewrite_conditional_calls(
        CONDITIONAL_CALLER,
        {
            (call.action, call.operands): call.action if outcome[Condition(call.operands)] else None
            for call in conditional_calls(copy)
        },
    )
    marked = copy.function_metadata(CONDITIONALLY_USED)
    copy.set_function_metadata(CONDITIONALLY_USED, dict.fromkeys(marked))
    by_input = [_resolved_facts(facts, outcome) for facts in linked.facts_by_input]
    # By identity: facts of several inputs can be equal, but not all of them count as written.
    written = {id(facts) for facts in linked.written_facts}
    pairs = zip(linked.facts_by_input, by_input, strict=True)
    return replace(
        linked,
        module=copy,
        facts=_resolved_facts(linked.facts, outcome),
        facts_by_input=tuple(by_input),
        written_facts=tuple(resolved for facts, resolved in pairs if id(facts) in written),
        resolved_for=variant.names,
    )


def _resolved_facts(facts: Facts, outcome: Mapping[Condition, bool]) -> Facts:
    return facts._replace(functions=tuple(_resolved(each, outcome) for each in facts.functions))


def _resolved(function: FunctionFact, outcome: Mapping[Condition, bool]) -> FunctionFact:
    if not any(call.condition for call in function.calls):
        return function
    calls = (
        Call(call.callee, call.place)
        for call in function.calls
        if not call.condition or outcome[Condition(call.condition)]
    )
    return function._replace(calls=tuple(calls))

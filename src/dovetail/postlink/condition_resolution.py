"""Decide conditions when a program is built, for targets whose code is made ahead of time.

In: a linked program, not taken apart yet. Out: the same for some targets, where what was called
under a condition is called, or is not; so with the calls in the IR and those that sources have
written. Targets for which all conditions come out the same share a program.
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
"""Which conditions hold."""


class Variant(NamedTuple):
    """Targets for which all conditions of a program come out the same."""

    targets: tuple[Target, ...]
    outcome: Outcome

    @property
    def names(self) -> tuple[str, ...]:
        """Of the targets."""
        return tuple(target.name for target in self.targets)


def conditions_in(linked: LinkedProgram) -> list[Condition]:
    """All that a program's calls are made under, each once, as they are written."""
    in_sources = (
        call.condition
        for facts in linked.facts_by_input
        for function in facts.functions
        for call in function.calls
        if call.condition
    )
    in_code = (call.written for call in conditional_calls(linked.module))
    return [conditions.read_condition(each) for each in dict.fromkeys((*in_sources, *in_code))]


def variants_of(
    written: Iterable[Condition], targets: Iterable[Target], table: Table
) -> list[Variant]:
    """The targets by what the conditions come to, in the order of their first."""
    each_once = list(written)
    groups: dict[tuple[bool, ...], list[Target]] = {}
    for target in targets:
        outcome = tuple(conditions.resolve(each, target, table).holds for each in each_once)
        groups.setdefault(outcome, []).append(target)
    return [
        Variant(tuple(members), dict(zip(each_once, outcome, strict=True)))
        for outcome, members in groups.items()
    ]


def open_questions(
    linked: LinkedProgram, written: Iterable[Condition], targets: Iterable[Target], table: Table
) -> Iterator[Finding]:
    """Conditions that depend on what is not known of a target."""
    for target, condition in product(targets, written):
        if conditions.architecture_matters(condition, target):
            yield Finding(
                UNKNOWN_ARCHITECTURE,
                f"whether '{conditions.in_words(condition)}' holds for '{target.name}' depends on"
                " its architecture, which is not known",
                _place_of(linked, condition),
            )
            continue
        unknown = conditions.resolve(condition, target, table).assumed_missing
        if unknown:
            names = " and ".join(f"'{aspect_text(aspect)}'" for aspect in unknown)
            yield Finding(
                UNKNOWN_ASPECT,
                f"whether '{conditions.in_words(condition)}' holds for '{target.name}' depends on"
                f" {names}, which it may have; it is taken not to",
                _place_of(linked, condition),
            )


def _place_of(linked: LinkedProgram, condition: Condition) -> Place:
    """Where the user's code first names a condition; the input, if nothing tells."""
    for facts in linked.facts_by_input:
        for number, function in enumerate(facts.functions):
            for call in function.calls:
                if call.condition == condition:
                    return _as_users_see_it(facts, number, call.place)
    return Place(linked.inputs[0], 0, 0)


def _as_users_see_it(facts: Facts, caller: int, place: Place) -> Place:
    """The place in the user's code that leads to a call in our headers."""
    calls = [(n, call) for n, function in enumerate(facts.functions) for call in function.calls]
    first_call = {call.callee: (n, call.place) for n, call in reversed(calls)}
    seen: set[int] = set()
    while place.file.startswith(f"{include_directory()}/") and caller in first_call.keys() - seen:
        seen.add(caller)
        caller, place = first_call[caller]
    return place


def decide(linked: LinkedProgram, variant: Variant) -> LinkedProgram:
    """A copy of a program in which all conditions are decided."""
    module = linked.module
    copy = Module.parse(module.context, module.to_bitcode(), module.name)
    made = variant.outcome
    copy.rewrite_conditional_calls(
        CONDITIONAL_CALLER,
        {
            (call.action, call.written): call.action if made[Condition(call.written)] else None
            for call in conditional_calls(copy)
        },
    )
    marked = copy.function_metadata(CONDITIONALLY_USED)
    copy.set_function_metadata(CONDITIONALLY_USED, dict.fromkeys(marked))
    by_input = [_decided_facts(facts, variant.outcome) for facts in linked.facts_by_input]
    # Sources can have equal facts, of which not all count.
    counting = {id(facts) for facts in linked.written_facts}
    pairs = zip(linked.facts_by_input, by_input, strict=True)
    return replace(
        linked,
        module=copy,
        facts=_decided_facts(linked.facts, variant.outcome),
        facts_by_input=tuple(by_input),
        written_facts=tuple(decided for facts, decided in pairs if id(facts) in counting),
        decided_for=variant.names,
    )


def _decided_facts(facts: Facts, outcome: Mapping[Condition, bool]) -> Facts:
    return facts._replace(functions=tuple(_decided(each, outcome) for each in facts.functions))


def _decided(function: FunctionFact, outcome: Mapping[Condition, bool]) -> FunctionFact:
    if not any(call.condition for call in function.calls):
        return function
    calls = (
        Call(call.callee, call.place)
        for call in function.calls
        if not call.condition or outcome[Condition(call.condition)]
    )
    return function._replace(calls=tuple(calls))

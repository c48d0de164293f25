"""Decide conditions when a program is built, for targets whose code is made ahead of time.

In: a linked program, not taken apart yet. Out: the same for some targets, where what was called
under a condition is called, or is not; so with the calls in the IR and those that sources have
written. Targets for which all conditions come out the same share a program.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from dovetail import conditions
from dovetail.conditions import Condition
from dovetail.device_metadata import CONDITIONAL_CALLER, CONDITIONALLY_USED
from dovetail.facts import Call, Facts, FunctionFact
from dovetail.ir import Module
from dovetail.postlink.conditional_calls import conditional_calls
from dovetail.postlink.link import LinkedProgram
from dovetail.targets import Table, Target, aspect_name

Outcome = dict[Condition, bool]
"""Which conditions hold."""


@dataclass(frozen=True)
class Variant:
    """Targets for which all conditions of a program come out the same."""

    targets: tuple[Target, ...]
    outcome: Outcome

    @property
    def names(self) -> tuple[str, ...]:
        """Of the targets."""
        return tuple(target.name for target in self.targets)


def conditions_in(linked: LinkedProgram) -> list[Condition]:
    """All that a program's calls are made under, each once, as they are written."""
    in_code = (call.written for call in conditional_calls(linked.module))
    in_sources = (
        call.condition
        for facts in linked.facts_by_input
        for function in facts.functions
        for call in function.calls
        if call.condition
    )
    found = dict.fromkeys((*in_code, *in_sources))
    return [conditions.read_condition(written) for written in found]


def variants_of(
    written: Sequence[Condition], targets: Iterable[Target], table: Table
) -> list[Variant]:
    """The targets by what the conditions come to, in the order of their first."""
    groups: dict[tuple[bool, ...], list[Target]] = {}
    for target in targets:
        outcome = tuple(conditions.resolve(each, target, table).holds for each in written)
        groups.setdefault(outcome, []).append(target)
    return [
        Variant(tuple(members), dict(zip(written, outcome, strict=True)))
        for outcome, members in groups.items()
    ]


def open_questions(
    written: Iterable[Condition], targets: Iterable[Target], table: Table
) -> Iterator[str]:
    """For each target and condition that depends on what nobody knows, that and what is assumed."""
    for target in targets:
        for condition in written:
            unknown = conditions.resolve(condition, target, table).assumed_missing
            if unknown:
                names = " and ".join(f"'{aspect_name(aspect)}'" for aspect in unknown)
                yield (
                    f"the condition '{conditions.in_words(condition)}' is decided for"
                    f" '{target.name}', which may have {names}: it is taken not to"
                )


def decide(linked: LinkedProgram, variant: Variant) -> LinkedProgram:
    """A copy of a program in which all conditions are decided."""
    module = linked.module
    copy = Module.parse(module.context, module.to_bitcode(), module.name)
    calls = {
        (call.action, call.written): call.action if variant.outcome[call.written] else None
        for call in conditional_calls(copy)
    }
    if calls:
        copy.rewrite_conditional_calls(CONDITIONAL_CALLER, calls)
    marked = copy.function_metadata(CONDITIONALLY_USED)
    copy.set_function_metadata(CONDITIONALLY_USED, dict.fromkeys(marked))
    by_input = [_decided_facts(facts, variant.outcome) for facts in linked.facts_by_input]
    is_written = [facts in linked.written_facts for facts in linked.facts_by_input]
    return replace(
        linked,
        module=copy,
        facts=_decided_facts(linked.facts, variant.outcome),
        facts_by_input=tuple(by_input),
        written_facts=tuple(f for f, counts in zip(by_input, is_written, strict=True) if counts),
        decided_for=variant.names,
    )


def _decided_facts(facts: Facts, outcome: Mapping[Condition, bool]) -> Facts:
    return replace(facts, functions=tuple(_decided(each, outcome) for each in facts.functions))


def _decided(function: FunctionFact, outcome: Mapping[Condition, bool]) -> FunctionFact:
    if not any(call.condition for call in function.calls):
        return function
    calls = (
        Call(call.callee, call.place)
        for call in function.calls
        if not call.condition or outcome[Condition(call.condition)]
    )
    return replace(function, calls=tuple(calls))

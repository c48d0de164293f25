"""Images for several devices: which of their code is for which, and what they say of that.

What entry points and actions require, and what conditions ask, are constants that have a value for
each device. Functions that are there on some devices alone have expressions of these.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace
from itertools import count, pairwise

from dovetail.artifacts import ConditionalCode
from dovetail.assertion_record import VARIABLE
from dovetail.conditions import Condition, fold, read_condition
from dovetail.device_metadata import GLOBAL_SIZE
from dovetail.image import (
    Constants,
    ImageInfo,
    Requirements,
    numbered_reqs,
    single_requirements,
)
from dovetail.ir import REFERENCES, CallGraph, Module
from dovetail.postlink.calls import Calls
from dovetail.postlink.conditional_plans import ConditionalPlan
from dovetail.postlink.gating import Gates, gated
from dovetail.postlink.imports import importable
from dovetail.postlink.indirect_targets import IndirectTargets
from dovetail.spirv.expressions import FIRST_SPEC_ID, TRUE, Expressions


def conditional_code(
    module: Module, planned: ConditionalPlan, taken_elsewhere: Collection[str]
) -> ConditionalCode | None:
    """What is conditional in an image; None if nothing is required and nothing asked.

    `taken_elsewhere` are functions that indirect calls may reach although nothing in the image
    refers to them.
    """
    constants = _constants(planned)
    if not constants.required and not constants.asked:
        return None
    terms = _Terms(constants)
    roots = {each.symbol: terms.required(each.requirements) for each in planned.plan.entry_points}
    # An action that cannot be compiled for a device is not there, so it cannot be called either;
    # kernels that would call it are refused before.
    gates = {
        each.symbol: terms.gate(each.requirements, planned.conditions[each.symbol])
        for each in planned.plan.actions
    }
    calls = Calls(
        CallGraph.of(module),
        taken_elsewhere=frozenset(taken_elsewhere),
        declared=IndirectTargets.of(module),
    )
    return ConditionalCode(
        constants,
        terms.expressions,
        _functions(module, calls, terms.expressions, roots, gates),
        gates,
    )


def _constants(planned: ConditionalPlan) -> Constants:
    """Numbered as entry points and actions come to need them."""
    required = dict.fromkeys(
        single for each in planned.entered for single in single_requirements(each.requirements)
    )
    asked = dict.fromkeys(
        read_condition(leaf)
        for condition in planned.conditions.values()
        for leaf in pairwise(condition)
        if leaf[1] >= 0
    )
    spec_ids = count(FIRST_SPEC_ID)
    return Constants(
        {next(spec_ids): each for each in required}, {next(spec_ids): each for each in asked}
    )


class _Terms:
    """Requirements and conditions as expressions of constants."""

    def __init__(self, constants: Constants) -> None:
        self.expressions = Expressions()
        new = self.expressions.constant
        self._required = {each: new(number) for number, each in constants.required.items()}
        self._asked = {each: new(number) for number, each in constants.asked.items()}

    def required(self, requirements: Requirements) -> int:
        """Where all is met."""
        return self.expressions.conjunction(self._constants_of(requirements))

    def gate(self, requirements: Requirements, condition: Condition) -> int:
        """Where the condition holds, and all is met."""
        asked = self._asked_by(condition)
        return self.expressions.conjunction((*self._constants_of(requirements), asked))

    def _constants_of(self, requirements: Requirements) -> list[int]:
        return [self._required[each] for each in single_requirements(requirements)]

    def _asked_by(self, condition: Condition) -> int:
        return fold(
            condition,
            lambda kind, number: self._asked[Condition((kind, number))],
            self.expressions.negation,
            lambda one, other: self.expressions.conjunction((one, other)),
            lambda one, other: self.expressions.disjunction((one, other)),
        )


def _functions(
    module: Module,
    calls: Calls,
    expressions: Expressions,
    roots: Mapping[str, int],
    gates: Mapping[str, int],
) -> dict[str, int]:
    """By function, when it is there; without those that always are."""
    sources, targets = calls.edges(REFERENCES)
    held = calls.graph.held_by_variables()
    users = _users_of_variables(module) if held else []
    if users:
        # What a variable refers to is there where any function is that uses variables.
        variables = calls.node_count
        sources += [*(calls.number_of[user] for user in users), *[variables] * len(held)]
        targets += [*[variables] * len(users), *held]
    given = Gates(
        {calls.number_of[symbol]: each for symbol, each in roots.items()},
        {calls.number_of[symbol]: each for symbol, each in gates.items()},
    )
    found = gated(expressions, given, calls.node_count + 1, sources, targets)
    functions = module.functions()
    declared = [function.name for function in functions if function.is_declaration]
    # What a device's compiler itself knows is no function there.
    built_in = set(declared) - importable(declared)
    return {
        symbol: expression
        for symbol, expression in zip(calls.graph.names, found, strict=False)
        if expression != TRUE and symbol not in built_in
    }


def _users_of_variables(module: Module) -> list[str]:
    """Those of variables that may refer to functions."""
    values_alone = {VARIABLE, *module.global_variable_attributes(GLOBAL_SIZE)}
    names = [each.name for each in module.global_variables() if each.name not in values_alone]
    users = module.variable_users(names).values()
    return list(dict.fromkeys(user for each in users for user in each))


def conditional_info(info: ImageInfo, planned: ConditionalPlan, code: ConditionalCode) -> ImageInfo:
    """Return what such an image says of itself; `info` is what all images say."""
    required = code.constants.required
    kernels = {e.symbol: e.requirements for e in planned.plan.entry_points if e.root.is_kernel}
    others = {each.symbol: each.requirements for each in planned.entered if not each.root.is_kernel}
    return replace(
        info,
        kernel_reqs=numbered_reqs(kernels, required),
        function_reqs=numbered_reqs(others, required),
        asked=code.constants.asked,
        conditional_calls={
            caller: tuple(calls) for caller, calls in planned.calls.items() if calls
        },
        conditional_imports={
            action: tuple(symbols) for action, symbols in planned.imports.items() if symbols
        },
        conditional_aspects=planned.aspects_in_common,
    )

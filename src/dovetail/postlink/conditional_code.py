"""Conditions for the code of images that are shared by different devices.

Each requirement of an entry point or action, and each aspect or architecture in a condition, is a
boolean constant whose value depends on the device. Functions that only some devices get have
expressions of these constants.
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
from dovetail.postlink.function_presence import PresenceConditions, presence_expressions
from dovetail.postlink.imports import importable
from dovetail.postlink.indirect_targets import IndirectTargets
from dovetail.spirv.expressions import FIRST_SPEC_ID, TRUE, Expressions


def conditional_code(
    module: Module, planned: ConditionalPlan, address_taken_elsewhere: Collection[str]
) -> ConditionalCode | None:
    """Return the conditions of an image, or None if it has no requirements and conditions.

    `address_taken_elsewhere` are functions that indirect calls may reach although nothing in the
    image refers to them.
    """
    constants = _constants(planned)
    if not constants.required and not constants.asked:
        return None
    terms = _Expressions(constants)
    roots = {each.symbol: terms.required(each.requirements) for each in planned.plan.entry_points}
    # On a device that does not meet its requirements an action is missing, so its calls are removed
    # too. Kernels that would call it there are refused before they start.
    guards = {
        each.symbol: terms.guard(each.requirements, planned.conditions[each.symbol])
        for each in planned.plan.actions
    }
    calls = Calls(
        CallGraph.of(module),
        address_taken_elsewhere=frozenset(address_taken_elsewhere),
        declared=IndirectTargets.of(module),
    )
    return ConditionalCode(
        constants,
        terms.expressions,
        _functions(module, calls, terms.expressions, roots, guards),
        guards,
    )


def _constants(planned: ConditionalPlan) -> Constants:
    """Return the constants, numbered in the order of entry points and actions that need them."""
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


class _Expressions:
    """Builds expressions for requirements and conditions."""

    def __init__(self, constants: Constants) -> None:
        self.expressions = Expressions()
        new = self.expressions.constant
        self._required = {each: new(number) for number, each in constants.required.items()}
        self._asked = {each: new(number) for number, each in constants.asked.items()}

    def required(self, requirements: Requirements) -> int:
        """Return the expression that all requirements are met."""
        return self.expressions.conjunction(self._constants_of(requirements))

    def guard(self, requirements: Requirements, condition: Condition) -> int:
        """Return the expression that a condition holds and all requirements are met."""
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
    guards: Mapping[str, int],
) -> dict[str, int]:
    """Return the presence expressions of all conditional functions."""
    sources, targets = calls.edges(REFERENCES)
    referenced = calls.graph.referenced_by_variables()
    users = _users_of_variables(module) if referenced else []
    if users:
        # Functions in initial values are present if any function that uses variables is.
        variables = calls.node_count
        sources += [*(calls.number_of[user] for user in users), *[variables] * len(referenced)]
        targets += [*[variables] * len(users), *referenced]
    given = PresenceConditions(
        {calls.number_of[symbol]: each for symbol, each in roots.items()},
        {calls.number_of[symbol]: each for symbol, each in guards.items()},
    )
    found = presence_expressions(expressions, given, calls.node_count + 1, sources, targets)
    functions = module.functions()
    declared = [function.name for function in functions if function.is_declaration]
    # Functions built into the device's compiler have no conditions.
    built_in = set(declared) - importable(declared)
    return {
        symbol: expression
        for symbol, expression in zip(calls.graph.names, found, strict=False)
        if expression != TRUE and symbol not in built_in
    }


def _users_of_variables(module: Module) -> list[str]:
    """Return the functions that use variables which may refer to functions."""
    without_functions = {VARIABLE, *module.global_variable_attributes(GLOBAL_SIZE)}
    names = [each.name for each in module.global_variables() if each.name not in without_functions]
    users = module.variable_users(names).values()
    return list(dict.fromkeys(user for each in users for user in each))


def conditional_info(info: ImageInfo, planned: ConditionalPlan, code: ConditionalCode) -> ImageInfo:
    """Return `info` with the properties of an image with conditions added."""
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

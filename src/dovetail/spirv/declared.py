"""When the capabilities and extensions that a module declares are needed.

Of one that nothing is known to need nobody can tell, nor of one that may be needed by operands that
are not looked at: these always are.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from dovetail.spirv._needs import CAPABILITIES_ELSEWHERE, EXTENSIONS_ELSEWHERE
from dovetail.spirv.disjunctions import Disjunctions
from dovetail.spirv.expressions import TRUE
from dovetail.spirv.grammar import capability
from dovetail.spirv.needs import brought_by
from dovetail.spirv.opcodes import CAPABILITY, EXTENSION
from dovetail.spirv.requirements import requirements
from dovetail.spirv.survey import Survey


class DeclaredWhen(NamedTuple):
    """Conditions, as numbers of expressions."""

    capabilities: dict[int, int]
    """By number; also of such that only others brought along, which have conditions now."""
    extensions: dict[str, int]


def declared_when(
    survey: Survey, conditions: Sequence[int], disjunctions: Disjunctions
) -> DeclaredWhen:
    """What is declared, with its conditions, where each instruction has one."""
    module = survey.module
    capabilities = {module.operand(at, 1) for _, at in survey.all_of(CAPABILITY)}
    extensions = {module.string(at, 1) for _, at in survey.all_of(EXTENSION)}
    if survey.unknown:
        return DeclaredWhen(dict.fromkeys(capabilities, TRUE), dict.fromkeys(extensions, TRUE))
    needed = _needed(survey, _with_what_they_bring(capabilities), extensions, conditions)
    users = _capability_users(needed.choices, capabilities)
    found = {number: disjunctions.of(users[number]) for number in users}
    for number, condition in found.items():
        needs = capability(number)
        for name in extensions.intersection(needs.extensions if needs else ()):
            needed.extensions[name].add(condition)
    for name in extensions - needed.extensions.keys() | extensions.intersection(
        EXTENSIONS_ELSEWHERE
    ):
        needed.extensions[name].add(TRUE)
    return DeclaredWhen(
        found,
        {name: disjunctions.of(each) for name, each in needed.extensions.items()},
    )


class _Needed(NamedTuple):
    """The conditions of what needs something."""

    choices: defaultdict[frozenset[int], set[int]]
    """By capabilities of which one is enough."""
    extensions: defaultdict[str, set[int]]


def _needed(
    survey: Survey, available: set[int], extensions: set[str], conditions: Sequence[int]
) -> _Needed:
    found = _Needed(defaultdict(set), defaultdict(set))
    for wanted, names, numbers in requirements(survey):
        choice, named = available.intersection(wanted), extensions.intersection(names)
        if choice or named:
            users = set(map(conditions.__getitem__, numbers))
            found.choices[frozenset(choice)] |= users
            for name in named:
                found.extensions[name] |= users
    return found


def _capability_users(
    choices: Mapping[frozenset[int], set[int]], declared: set[int]
) -> dict[int, set[int]]:
    """By capability, the conditions of what needs it."""
    named = set[int]().union(*choices)
    always = declared - named | declared.intersection(CAPABILITIES_ELSEWHERE)
    found: defaultdict[int, set[int]] = defaultdict(set, {each: {TRUE} for each in always})
    there = _with_what_they_bring(always)
    # Those without a choice first: what is there for them, others need not ask for.
    for choice in sorted(choices, key=lambda each: (len(each), sorted(each))):
        if there.isdisjoint(choice):
            taken = choice & declared or choice
            for each in taken:
                found[each] |= choices[choice]
            if TRUE in choices[choice]:
                there |= _with_what_they_bring(taken)
    for each in declared - found.keys():
        found[each] = {TRUE}
    return found


def _with_what_they_bring(capabilities: Iterable[int]) -> set[int]:
    return {each for one in capabilities for each in brought_by(one)}

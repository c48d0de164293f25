"""The conditions of the capabilities and extensions that a module declares.

A declaration is unconditional if no instruction is known to require it, or if it may be required by
operands that are not checked.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from dovetail.spirv._requirements import CAPABILITIES_ELSEWHERE, EXTENSIONS_ELSEWHERE
from dovetail.spirv.declarations import implied_capabilities
from dovetail.spirv.disjunctions import Disjunctions
from dovetail.spirv.expressions import TRUE
from dovetail.spirv.grammar import capability
from dovetail.spirv.opcodes import CAPABILITY, EXTENSION
from dovetail.spirv.requirements import requirements
from dovetail.spirv.structure import ModuleStructure


class DeclarationConditions(NamedTuple):
    """Conditions, as numbers of expressions."""

    capabilities: dict[int, int]
    """By number; also capabilities that were implied by others that are now conditional."""
    extensions: dict[str, int]
    """By name."""


def declaration_conditions(
    structure: ModuleStructure, conditions: Sequence[int], disjunctions: Disjunctions
) -> DeclarationConditions:
    """Return the conditions of declarations for given conditions of instructions."""
    module = structure.module
    capabilities = {module.operand(at, 1) for _, at in structure.with_opcode(CAPABILITY)}
    extensions = {module.string(at, 1) for _, at in structure.with_opcode(EXTENSION)}
    if structure.unknown:
        return DeclarationConditions(
            dict.fromkeys(capabilities, TRUE), dict.fromkeys(extensions, TRUE)
        )
    needed = _needed(structure, _with_implied(capabilities), extensions, conditions)
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
    return DeclarationConditions(
        found,
        {name: disjunctions.of(each) for name, each in needed.extensions.items()},
    )


class _Needed(NamedTuple):
    """The conditions of instructions with requirements."""

    choices: defaultdict[frozenset[int], set[int]]
    """By a set of capabilities of which one is enough."""
    extensions: defaultdict[str, set[int]]
    """By name."""


def _needed(
    structure: ModuleStructure, available: set[int], extensions: set[str], conditions: Sequence[int]
) -> _Needed:
    found = _Needed(defaultdict(set), defaultdict(set))
    for wanted, names, numbers in requirements(structure):
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
    """Return the conditions of the instructions that need a capability, by capability."""
    named = set[int]().union(*choices)
    always = declared - named | declared.intersection(CAPABILITIES_ELSEWHERE)
    found: defaultdict[int, set[int]] = defaultdict(set, {each: {TRUE} for each in always})
    unconditional = _with_implied(always)
    # Requirements without a choice first: these capabilities may satisfy others.
    for choice in sorted(choices, key=lambda each: (len(each), sorted(each))):
        if unconditional.isdisjoint(choice):
            chosen = choice & declared or choice
            for each in chosen:
                found[each] |= choices[choice]
            if TRUE in choices[choice]:
                unconditional |= _with_implied(chosen)
    for each in declared - found.keys():
        found[each] = {TRUE}
    return found


def _with_implied(capabilities: Iterable[int]) -> set[int]:
    return {each for one in capabilities for each in implied_capabilities(one)}

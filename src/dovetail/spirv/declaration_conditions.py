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
    """Return the conditions of declared capabilities and extensions.

    That of each is the disjunction of the conditions of the instructions that require it.
    """
    module = structure.module
    capabilities = {module.operand(offset, 1) for _, offset in structure.with_opcode(CAPABILITY)}
    extensions = {module.string(offset, 1) for _, offset in structure.with_opcode(EXTENSION)}
    # An unknown instruction may require any of them.
    if structure.unknown:
        return DeclarationConditions(
            dict.fromkeys(capabilities, TRUE), dict.fromkeys(extensions, TRUE)
        )
    requirements_found = _find_requirements(
        structure, _with_implied(capabilities), extensions, conditions
    )
    conditions_by_extension = requirements_found.extensions
    capability_conditions = {
        number: disjunctions.of(found)
        for number, found in _conditions_by_capability(
            requirements_found.capability_choices, capabilities
        ).items()
    }
    for number, condition in capability_conditions.items():
        row = capability(number)
        for name in extensions.intersection(row.extensions if row else ()):
            conditions_by_extension[name].add(condition)
    unchecked = extensions.intersection(EXTENSIONS_ELSEWHERE)
    for name in extensions - conditions_by_extension.keys() | unchecked:
        conditions_by_extension[name].add(TRUE)
    return DeclarationConditions(
        capability_conditions,
        {name: disjunctions.of(found) for name, found in conditions_by_extension.items()},
    )


class _Requirements(NamedTuple):
    """What instructions require, with the conditions of these instructions."""

    capability_choices: defaultdict[frozenset[int], set[int]]
    """By a set of capabilities of which one is enough."""
    extensions: defaultdict[str, set[int]]
    """By name."""


def _find_requirements(
    structure: ModuleStructure, available: set[int], extensions: set[str], conditions: Sequence[int]
) -> _Requirements:
    """Return what instructions require of the available capabilities and declared extensions."""
    found = _Requirements(defaultdict(set), defaultdict(set))
    for wanted, names, numbers in requirements(structure):
        choice, named = available.intersection(wanted), extensions.intersection(names)
        if choice or named:
            users = {conditions[number] for number in numbers}
            found.capability_choices[frozenset(choice)] |= users
            for name in named:
                found.extensions[name] |= users
    return found


def _conditions_by_capability(
    choices: Mapping[frozenset[int], set[int]], declared: set[int]
) -> dict[int, set[int]]:
    """Return the conditions of the instructions that require each capability.

    `choices` maps sets of capabilities, of which one is enough, to the conditions of instructions.
    """
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
    """Return the capabilities and all that they imply."""
    return {each for one in capabilities for each in implied_capabilities(one)}

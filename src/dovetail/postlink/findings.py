"""Find undeclared uses of aspects and mismatched declarations in a linked program.

Facts about sources contain the places of calls and uses. For modules of other toolchains, there is
only metadata on functions, so findings name the input instead of a place.
"""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from dovetail import conditions
from dovetail.analysis import (
    MISMATCHED_ASPECTS,
    UNDECLARED_ASPECT,
    Analysis,
    ConditionalUses,
    Finding,
    Note,
    aspect_text,
    fixed_target_misfits,
    mismatched_aspects,
    mismatched_externals,
    undeclared_aspects,
)
from dovetail.device_metadata import MODULE_ID
from dovetail.facts import Place
from dovetail.graphs import from_bits
from dovetail.ir import demangle
from dovetail.postlink.aspect_declarations import AspectDeclaration
from dovetail.postlink.link import LinkedProgram
from dovetail.targets import Table, Target

_NOTHING: Mapping[str, ConditionalUses] = MappingProxyType({})


def find_in_program(
    linked: LinkedProgram,
    used: Mapping[str, int],
    fixed_targets: Sequence[Target] = (),
    *,
    conditional: Mapping[str, ConditionalUses] = _NOTHING,
    table: Table | None = None,
) -> list[Finding]:
    """Return undeclared uses, mismatched declarations, and kernels that a fixed target cannot run.

    `used` and `conditional` are the aspects that functions use on all and on some devices. `table`
    is the table of targets, by default the configured one.
    """
    analysis = linked.analysis
    found = [
        *undeclared_aspects(analysis.graph, analysis.uses, table),
        *mismatched_aspects(analysis.graph),
        *mismatched_externals(analysis.graph),
        *_undeclared_uses(linked, used, conditional),
        *_differing_declarations(linked),
        *fixed_target_misfits(analysis.graph, analysis.uses, fixed_targets, table),
    ]
    # An internal function in a header is a separate function in each source, but reported once.
    each_once: dict[tuple[str, Place], Finding] = {}
    for finding in found:
        each_once.setdefault((finding.message, finding.place), finding)
    command = _check_command(linked)
    return [_with_command(finding, command) for finding in each_once.values()]


def find_between_sources(
    linked: LinkedProgram,
    used: Mapping[str, int],
    fixed_targets: Sequence[Target] = (),
    *,
    conditional: Mapping[str, ConditionalUses] = _NOTHING,
    table: Table | None = None,
) -> list[Finding]:
    """Return the findings that the compilation of a single source does not report."""
    known = {
        (finding.message, finding.place)
        for facts in linked.facts_by_input
        for finding in Analysis.of([facts]).findings(fixed_targets, table)
    }
    found = find_in_program(linked, used, fixed_targets, conditional=conditional, table=table)
    return [finding for finding in found if (finding.message, finding.place) not in known]


def _check_command(linked: LinkedProgram) -> str:
    """Return the `dovetail check` command for the sources named in the modules."""
    sources = dict.fromkeys(linked.module.function_attributes(MODULE_ID).values())
    return shlex.join(["dovetail", "check", *(sources or ["SOURCE..."])])


def _with_command(finding: Finding, command: str) -> Finding:
    if finding.rule is not UNDECLARED_ASPECT:
        return finding
    note = Note(
        f"'{command}' shows every call that leads to an aspect", _of_input(finding.place.file)
    )
    return replace(finding, notes=(*finding.notes, note))


def _undeclared_uses(
    linked: LinkedProgram, used: Mapping[str, int], conditional: Mapping[str, ConditionalUses]
) -> Iterator[Finding]:
    """Yield findings for functions without facts that use more than they declare."""
    described = _described(linked)
    for symbol, declarations in linked.declarations.items():
        definition = next((p for p in declarations if p.is_definition), None)
        if definition is None or definition.aspects is None or symbol in linked.kernels:
            continue
        if (definition.input, definition.symbol) in described:
            continue
        # Aspects that another declaration lists count as used, and are reported as a mismatch.
        declared = 0
        for promise in declarations:
            declared |= promise.aspects or 0
        uses = [("", used.get(symbol, 0) & ~declared)]
        for condition, bits in conditional.get(symbol, {}).items():
            uses.append((f" (if {conditions.in_words(condition)})", bits & ~declared))
        for where, beyond in uses:
            if beyond:
                yield Finding(
                    UNDECLARED_ASPECT,
                    f"function '{_name(definition.symbol)}' uses {_listed(beyond)}{where}, but"
                    f" declares {_listed(definition.aspects)}",
                    _of_input(definition.input),
                )


def _differing_declarations(linked: LinkedProgram) -> Iterator[Finding]:
    """Yield findings for declarations without facts that differ from the definition."""
    described = _described(linked)
    for declarations in linked.declarations.values():
        main = next((p for p in declarations if p.is_definition), declarations[0])
        for other in declarations:
            have_facts = {(p.input, p.symbol) for p in (main, other)} <= described
            if other.aspects != main.aspects and not have_facts:
                yield _difference(other, main)


def _described(linked: LinkedProgram) -> set[tuple[str, str]]:
    """Return pairs of an input and a function about which it has facts."""
    inputs = zip(linked.inputs, linked.facts_by_input, strict=True)
    return {(name, fact.symbol) for name, facts in inputs for fact in facts.functions}


def _difference(other: AspectDeclaration, main: AspectDeclaration) -> Finding:
    role = "defined" if main.is_definition else "declared elsewhere"
    return Finding(
        MISMATCHED_ASPECTS,
        f"'{_name(main.symbol)}' is declared with {_listed(other.aspects)} here but {role} with"
        f" {_listed(main.aspects)}",
        _of_input(other.input),
        (Note(f"{role} here", _of_input(main.input)),),
    )


def _of_input(name: str) -> Place:
    """Return a place that consists only of a file name."""
    return Place(name, 0, 0)


def _name(symbol: str) -> str:
    # Other compilers name kernels like the names of types.
    return demangle([symbol])[0].removeprefix("typeinfo name for ")


def _listed(aspects: int | None) -> str:
    if aspects is None:
        return "no attribute"
    names = [f"'{aspect_text(aspect)}'" for aspect in from_bits(aspects)]
    word = "aspect" if len(names) == 1 else "aspects"
    return f"{word} {', '.join(names)}" if names else "no aspects"

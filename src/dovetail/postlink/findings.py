"""What is wrong with functions of different inputs, taken together.

Sources of ours know the places of calls and uses. For modules of other toolchains the metadata on
functions is all there is, and the name of the input has to do for a place.
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
    mismatched_aspects,
    mismatched_externals,
    undeclared_aspects,
    fixed_target_misfits,
)
from dovetail.device_metadata import MODULE_ID
from dovetail.facts import Place
from dovetail.graphs import from_bits
from dovetail.ir import demangle
from dovetail.postlink.link import LinkedProgram
from dovetail.postlink.promises import Promise
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
    """Promises that are not kept, promises that differ, and kernels that some target cannot run.

    `used` and `conditional` are what functions use on all devices, and on some. `table` is what is
    known of devices, if that is not the default configuration.
    """
    analysis = linked.analysis
    found = [
        *undeclared_aspects(analysis.graph, analysis.uses, table),
        *mismatched_aspects(analysis.graph),
        *mismatched_externals(analysis.graph),
        *_broken_promises(linked, used, conditional),
        *_differing_promises(linked),
        *fixed_target_misfits(analysis.graph, analysis.uses, fixed_targets, table),
    ]
    # An internal function of a header is another one in each source; it is told of once.
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
    """The same without what each source told when it was compiled."""
    known = {
        (finding.message, finding.place)
        for facts in linked.facts_by_input
        for finding in Analysis.of([facts]).findings(fixed_targets, table)
    }
    found = find_in_program(linked, used, fixed_targets, conditional=conditional, table=table)
    return [finding for finding in found if (finding.message, finding.place) not in known]


def _check_command(linked: LinkedProgram) -> str:
    """The sources by the names that compilers left in the modules, if they did."""
    sources = dict.fromkeys(linked.module.function_attributes(MODULE_ID).values())
    return shlex.join(["dovetail", "check", *(sources or ["SOURCE..."])])


def _with_command(finding: Finding, command: str) -> Finding:
    if finding.rule is not UNDECLARED_ASPECT:
        return finding
    note = Note(
        f"'{command}' shows every call that leads to an aspect", _of_input(finding.place.file)
    )
    return replace(finding, notes=(*finding.notes, note))


def _broken_promises(
    linked: LinkedProgram, used: Mapping[str, int], conditional: Mapping[str, ConditionalUses]
) -> Iterator[Finding]:
    """Functions of which there are no facts and which use more than they declare."""
    described = _described(linked)
    for symbol, promises in linked.promises.items():
        definition = next((p for p in promises if p.is_definition), None)
        if definition is None or definition.aspects is None or symbol in linked.kernels:
            continue
        if (definition.input, definition.symbol) in described:
            continue
        # What a declaration elsewhere lists counts as used; that it differs is told as such.
        declared = 0
        for promise in promises:
            declared |= promise.aspects or 0
        uses = [("", used.get(symbol, 0) & ~declared)]
        for condition, bits in conditional.get(symbol, {}).items():
            uses.append((f", if {conditions.in_words(condition)},", bits & ~declared))
        for where, beyond in uses:
            if beyond:
                yield Finding(
                    UNDECLARED_ASPECT,
                    f"function '{_name(definition.symbol)}' uses{where} {_listed(beyond)}, and"
                    f" declares {_listed(definition.aspects)}",
                    _of_input(definition.input),
                )


def _differing_promises(linked: LinkedProgram) -> Iterator[Finding]:
    """Declarations of which there are no facts and which promise what the definition does not."""
    described = _described(linked)
    for promises in linked.promises.values():
        main = next((p for p in promises if p.is_definition), promises[0])
        for other in promises:
            have_facts = {(p.input, p.symbol) for p in (main, other)} <= described
            if other.aspects != main.aspects and not have_facts:
                yield _difference(other, main)


def _described(linked: LinkedProgram) -> set[tuple[str, str]]:
    """Inputs, and the functions of which they have facts."""
    inputs = zip(linked.inputs, linked.facts_by_input, strict=True)
    return {(name, fact.symbol) for name, facts in inputs for fact in facts.functions}


def _difference(other: Promise, main: Promise) -> Finding:
    role = "defined" if main.is_definition else "declared elsewhere"
    return Finding(
        MISMATCHED_ASPECTS,
        f"'{_name(main.symbol)}' is declared with {_listed(other.aspects)} here but {role} with"
        f" {_listed(main.aspects)}",
        _of_input(other.input),
        (Note(f"{role} here", _of_input(main.input)),),
    )


def _of_input(name: str) -> Place:
    """A place in a file of which only the name is known."""
    return Place(name, 0, 0)


def _name(symbol: str) -> str:
    # Kernels of other compilers are named as the names of types are.
    return demangle([symbol])[0].removeprefix("typeinfo name for ")


def _listed(aspects: int | None) -> str:
    if aspects is None:
        return "no attribute"
    names = [f"'{aspect_text(aspect)}'" for aspect in from_bits(aspects)]
    word = "aspect" if len(names) == 1 else "aspects"
    return f"{word} {', '.join(names)}" if names else "no aspects"

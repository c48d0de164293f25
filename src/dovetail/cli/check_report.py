"""The report of `dovetail check` on kernels, as text and as JSON."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter

from dovetail import conditions
from dovetail.analysis import Chain, Finding, Graph, KernelReport, Level, aspect_text
from dovetail.analysis.finding import condition_text, function_name
from dovetail.analysis.findings import size_text
from dovetail.analysis.kernels import KernelResolution
from dovetail.fit import Fit
from dovetail.targets.fit_text import fit_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dovetail.conditions import Normal

_MAX_NAME_LENGTH = 100


def as_text(graph: Graph, kernels: Sequence[KernelReport]) -> Iterator[str]:
    """Yield the lines of a block for each kernel, with an empty line after it."""
    for kernel in kernels:
        yield f"kernel '{_shortened(kernel.name)}'  {kernel.place.file}:{kernel.place.line}"
        yield from _aspect_lines(graph, kernel)
        if kernel.reqd_work_group_size:
            yield f"  requires work-group size {size_text(kernel.reqd_work_group_size)}"
        if kernel.reqd_sub_group_size is not None:
            yield f"  requires sub-group size {kernel.reqd_sub_group_size}"
        width = max(map(len, kernel.fits), default=0)
        for target in kernel.fits:
            yield f"  {target:<{width}}  {_verdict(kernel, target)}"
        yield ""


def summary(
    kernels: Sequence[KernelReport],
    results: Sequence[tuple[Finding, Level]],
    files: int,
    *,
    fit_required: bool,
) -> str:
    """Return the last line, with the numbers of kernels and findings."""
    levels = [level for _, level in results]
    parts = [f"{_count(len(kernels), 'kernel')} in {_count(files, 'file')}"]
    misfits = sum(any(f.verdict == "no" for f in kernel.fits.values()) for kernel in kernels)
    if misfits:
        verb = "does" if misfits == 1 else "do"
        effect = "" if fit_required else " (--require-fit makes this an error)"
        parts.append(f"{misfits} {verb} not fit every target{effect}")
    counts = [
        _count(levels.count(level), level) for level in ("error", "warning") if level in levels
    ]
    if counts or not misfits:
        parts.append(" and ".join(counts) or "no findings")
    return ", ".join(parts)


def as_json(
    graph: Graph, kernels: Sequence[KernelReport], results: Sequence[tuple[Finding, Level]]
) -> dict[str, object]:
    """Return the report as a JSON document; docs/check.md describes it."""
    return {
        "kernels": [_kernel(graph, kernel) for kernel in kernels],
        "findings": [_finding(finding, level) for finding, level in results],
    }


def _aspect_lines(graph: Graph, kernel: KernelReport) -> Iterator[str]:
    if not kernel.aspects and not kernel.conditional:
        yield "  no aspects"
    yield from _chain_lines(graph, kernel.aspects, "  ")
    for condition, uses in groupby(kernel.conditional, attrgetter("condition")):
        yield f"  if {conditions.in_words(condition)}:"
        chains = {aspect_text(use.aspect): use.chain for use in uses}
        yield from _chain_lines(graph, chains, "    ")


def _chain_lines(graph: Graph, chains: Mapping[str, Chain], indent: str) -> Iterator[str]:
    width = max(map(len, chains), default=0)
    for aspect, chain in chains.items():
        yield f"{indent}{aspect:<{width}}  {chain.use.place}  {_shortened(chain.use.what)}"
        for step in chain.steps:
            caller = _shortened(function_name(graph, step.caller))
            callee = _shortened(graph.nodes[step.callee].fact.name)
            where = f"{step.place}{condition_text(step)}"
            yield f"{indent}{'':<{width}}    '{caller}' calls '{callee}' at {where}"


def _verdict(kernel: KernelReport, target: str) -> str:
    return _fit_line(kernel.fits[target]) + _assumption(kernel.resolutions.get(target))


def _assumption(resolution: KernelResolution | None) -> str:
    if resolution is None or not resolution.assumed_missing:
        return ""
    return f", assuming a device without {', '.join(resolution.assumed_missing)}"


def _fit_line(found: Fit) -> str:
    text = fit_text(found)
    match text.verdict:
        case "yes":
            return "fits"
        case "no":
            return f"does not fit: lacks {', '.join(text.missing)}"
        case "may":
            return f"may fit: unknown: {', '.join(text.unknown)}"


def _shortened(name: str) -> str:
    """Abbreviate names of template instances, which can be very long."""
    if len(name) <= _MAX_NAME_LENGTH:
        return name
    half = _MAX_NAME_LENGTH // 2 - 1
    return f"{name[:half]}…{name[-half:]}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _kernel(graph: Graph, kernel: KernelReport) -> dict[str, object]:
    size = kernel.reqd_work_group_size
    return {
        "name": kernel.name,
        "file": kernel.place.file,
        "line": kernel.place.line,
        "aspects": [_use(graph, aspect, chain) for aspect, chain in kernel.aspects.items()],
        "conditional_aspects": [
            {
                "condition": conditions.in_words(use.condition),
                **_use(graph, aspect_text(use.aspect), use.chain),
            }
            for use in kernel.conditional
        ],
        "reqd_sub_group_size": kernel.reqd_sub_group_size,
        "reqd_work_group_size": list(size) if size else None,
        "fits": {target: _fit(kernel, target) for target in kernel.fits},
    }


def _fit(kernel: KernelReport, target: str) -> dict[str, object]:
    text = fit_text(kernel.fits[target])
    resolution = kernel.resolutions.get(target)
    return {
        "verdict": text.verdict,
        "missing": list(text.missing),
        "unknown": list(text.unknown),
        "assumed_missing": list(resolution.assumed_missing) if resolution else [],
    }


def _use(graph: Graph, aspect: str, chain: Chain) -> dict[str, object]:
    return {
        "aspect": aspect,
        "what": chain.use.what,
        "file": chain.use.place.file,
        "line": chain.use.place.line,
        "column": chain.use.place.column,
        "chain": _chain(graph, chain),
    }


def _chain(graph: Graph, chain: Chain) -> list[dict[str, object]]:
    """Return each called function of a chain, with the place and condition of the call."""
    return [
        {
            "function": graph.nodes[step.callee].fact.name,
            "file": step.place.file,
            "line": step.place.line,
            "condition": _words(step.condition),
        }
        for step in chain.steps
    ]


def _words(condition: "Normal") -> str | None:
    return None if isinstance(condition, bool) else conditions.in_words(condition)


def _finding(finding: Finding, level: Level) -> dict[str, object]:
    return {
        "rule": finding.rule.name,
        "level": level,
        "message": finding.message,
        "file": finding.place.file,
        "line": finding.place.line,
        "column": finding.place.column,
        "notes": [
            {
                "message": note.message,
                "file": note.place.file,
                "line": note.place.line,
                "column": note.place.column,
            }
            for note in finding.notes
        ],
    }

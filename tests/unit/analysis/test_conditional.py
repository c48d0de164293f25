"""What is used on some devices alone: which aspects, through which calls, what is said of it."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, strategies as st
from random_conditions import MockDevice, all_devices, conditions, truth

from dovetail.analysis import (
    Analysis,
    ConditionalUses,
    Edges,
    Finding,
    KernelReport,
    build_graph,
    simplify,
)
from dovetail.conditions import AND, ARCHITECTURE, ASPECT, NOT, OR, Condition, in_words, normalize
from dovetail.errors import CompileError
from dovetail.facts import Facts
from dovetail.graphs import from_bits, to_bits
from dovetail.targets import Target, default_table
from dovetail.targets.fit_text import fit_text

Source = Callable[..., Facts]

GPU, FP16, FP64, ATOMIC64 = 2, 5, 6, 27
IF_GPU, IF_FP16, IF_FP64 = (ASPECT, GPU), (ASPECT, FP16), (ASPECT, FP64)
IF_SKL, IF_ACM, IF_PVC = (ARCHITECTURE, 2), (ARCHITECTURE, 17), (ARCHITECTURE, 20)
DEVICES = all_devices()
TABLE = default_table()


def in_text(uses: ConditionalUses) -> dict[str, list[int]]:
    return {in_words(condition): list(from_bits(bits)) for condition, bits in uses.items()}


def conditional(source: Source, functions: dict[str, Any]) -> dict[str, dict[str, list[int]]]:
    """By function, what it uses under which conditions, in words."""
    analysis = Analysis.of([source("a.cpp", functions)])
    return {
        node.fact.symbol: in_text(analysis.uses.conditional(number))
        for number, node in enumerate(analysis.graph.nodes)
        if analysis.uses.conditional(number)
    }


def lines(findings: list[Finding]) -> list[str]:
    text: list[str] = []
    for finding in findings:
        text.append(f"{finding.place} {finding.message}")
        text += [f"  {note.place} {note.message}" for note in finding.notes]
    return text


def test_nested_conditions_are_joined(source: Source) -> None:
    functions = {
        "k": {"calls": ["f"], "uses": [FP16]},
        "f": {"calls": [("caller", IF_GPU)]},
        "caller": {"calls": ["action"]},
        "action": {"calls": [("inner", IF_FP64)], "uses": [FP16, ATOMIC64]},
        "inner": {"uses": [FP64, ATOMIC64]},
    }
    assert conditional(source, functions) == {
        # Neither what it uses on all devices is said again, nor what it uses wherever gpu holds.
        "k": {"gpu": [ATOMIC64], "gpu and fp64": [FP64]},
        "f": {"gpu": [FP16, ATOMIC64], "gpu and fp64": [FP64]},
        "caller": {"fp64": [FP64]},
        "action": {"fp64": [FP64]},
    }


def test_unconditional_uses_supersede_conditional_ones(source: Source) -> None:
    functions = {
        "k": {"calls": [("f", IF_GPU), "g"]},
        "f": {"calls": ["h"]},
        "g": {"calls": ["h"]},
        "h": {"uses": [FP64]},
    }
    assert conditional(source, functions) == {}


def test_equivalent_conditions_are_one_and_others_are_not(source: Source) -> None:
    both, other_way = (AND, *IF_GPU, *IF_FP16), (AND, *IF_FP16, *IF_GPU)
    functions = {
        "k": {"calls": [("f", both), ("g", other_way), ("f", IF_PVC)]},
        "f": {"uses": [FP64]},
        "g": {"uses": [ATOMIC64]},
    }
    assert conditional(source, functions) == {
        "k": {"gpu and fp16": [FP64, ATOMIC64], "intel_gpu_pvc": [FP64]}
    }


def test_calls_that_are_always_or_never_made(source: Source) -> None:
    functions = {
        "k": {"calls": [("f", (OR, *IF_GPU, NOT, *IF_GPU)), ("g", (AND, *IF_SKL, *IF_PVC))]},
        "f": {"uses": [FP64]},
        "g": {"uses": [FP16]},
        "contrary": {"calls": [("inner", IF_GPU)]},
        "inner": {"calls": [("g", (NOT, *IF_GPU))]},
    }
    uses = Analysis.of([source("a.cpp", functions)]).uses
    assert [uses.of(0), uses.conditional(0), uses.conditional(3)] == [(FP64,), {}, {}]


def test_circles_through_conditional_calls_end(source: Source) -> None:
    functions = {
        "a": {"calls": [("b", IF_GPU), ("a", IF_FP16)]},
        "b": {"calls": [("c", IF_FP64), "c"]},
        "c": {"calls": ["a", ("user", IF_PVC)]},
        "user": {"uses": [ATOMIC64]},
    }
    found = conditional(source, functions)
    assert list(found["c"])[-1] == "intel_gpu_pvc"
    assert found["a"]["gpu and intel_gpu_pvc"] == [ATOMIC64]
    assert found["a"]["gpu and fp16 and intel_gpu_pvc"] == [ATOMIC64]


def edges_of(calls: list[tuple[int, Condition | None, int]]) -> Edges:
    edges = Edges()
    for caller, condition, callee in calls:
        edges.add(caller, True if condition is None else normalize(condition), callee)
    return edges


NODES = 6


@given(
    st.lists(
        st.tuples(
            st.integers(0, NODES - 1),
            st.none() | conditions(most_leaves=3),
            st.integers(0, NODES - 1),
        ),
        max_size=9,
    ),
    st.lists(st.integers(0, 15), min_size=NODES, max_size=NODES),
)
def test_each_device_uses_the_aspects_of_the_calls_it_makes(
    calls: list[tuple[int, Condition | None, int]], own: list[int]
) -> None:
    used, found = edges_of(calls).gather(own)
    for device in DEVICES:
        walked = [walk(node, calls, own, device) for node in range(NODES)]
        for node in range(NODES):
            bits = used[node]
            for condition, more in found.get(node, {}).items():
                assert more & ~used[node] == more > 0
                bits |= more if truth(condition, device) else 0
            assert bits == walked[node]


def walk(
    node: int,
    calls: list[tuple[int, Condition | None, int]],
    own: list[int],
    device: MockDevice,
) -> int:
    seen, pending, bits = {node}, [node], 0
    while pending:
        caller = pending.pop()
        bits |= own[caller]
        for source, condition, target in calls:
            is_made = condition is None or truth(condition, device)
            if source == caller and is_made and target not in seen:
                seen.add(target)
                pending.append(target)
    return bits


def test_aspects_of_every_such_device_are_removed() -> None:
    def uses(*ints: int) -> ConditionalUses:
        return {Condition(ints): to_bits([FP16, FP64])}

    assert simplify({"f": uses(AND, *IF_FP16, *IF_FP64)}, TABLE) == {}
    assert simplify({"f": uses(OR, *IF_SKL, *IF_PVC)}, TABLE) == {}
    simple = simplify({"f": uses(OR, *IF_ACM, *IF_PVC), "g": uses(*IF_FP16)}, TABLE)
    assert {name: in_text(left) for name, left in simple.items()} == {
        "f": {"intel_gpu_acm_g10 or intel_gpu_pvc": [FP64]},
        "g": {"fp16": [FP64]},
    }
    less = TABLE.with_targets([Target("intel_gpu_pvc", ("gpu", "fp16"), False)])
    assert simplify({"f": uses(*IF_PVC)}, less) == {"f": {IF_PVC: 1 << FP64}}


def test_undeclared_only_if_devices_may_lack_the_aspect(source: Source) -> None:
    functions: dict[str, Any] = {
        "f": {"declared": [], "calls": [("g", IF_FP64), ("g", IF_PVC), ("g", IF_GPU), "g2"]},
        "g": {"calls": ["h"]},
        "g2": {"calls": []},
        "h": {"uses": [FP64]},
        "kept": {"declared": [FP64], "calls": [("g", IF_GPU)]},
    }
    assert lines(Analysis.of([source("a.cpp", functions)]).findings()) == [
        "a.cpp:10:6 function 'f' uses aspect 'fp64' (if gpu), which its attribute 'device_has' does"
        " not list",
        "  a.cpp:9:3 attribute is here",
        "  a.cpp:12:3 'f' calls 'g' here, if gpu",
        "  a.cpp:22:1 'g' calls 'h' here",
        "  a.cpp:41:1 uses aspect 'fp64' here: use of 6",
    ]


def test_a_conditional_call_of_a_declaring_function_is_the_use(source: Source) -> None:
    functions = {
        "f": {"declared": [], "calls": ["f2"]},
        "f2": {"calls": [("g", IF_GPU)]},
        "g": {"defined": False, "external": True, "declared": [FP64]},
    }
    (finding,) = Analysis.of([source("a.cpp", functions)]).findings()
    assert [(str(note.place), note.message) for note in finding.notes[1:]] == [
        ("a.cpp:12:1", "'f' calls 'f2' here"),
        (
            "a.cpp:22:1",
            "uses aspect 'fp64' here: call of 'g', which is declared with device_has(fp64)",
        ),
    ]


def test_across_sources(source: Source) -> None:
    declared = {"defined": False, "external": True}
    one = source("a.cpp", {"k": {"kernel": "k", "calls": [("f", IF_GPU)]}, "f": declared})
    other = source(
        "b.cpp",
        {"f": {"external": True, "calls": [("g", IF_SKL)]}, "g": {"uses": [ATOMIC64]}},
    )
    (kernel,) = Analysis.of([one, other]).kernels()
    (use,) = kernel.conditional
    assert in_words(use.condition) == "gpu and intel_gpu_skl"
    assert [(str(step.place), step.condition) for step in use.chain.steps] == [
        ("a.cpp:12:1", IF_GPU),
        ("b.cpp:12:1", IF_SKL),
    ]


def test_forbidden_code_is_forbidden_under_conditions(source: Source) -> None:
    functions = {
        "k": {"kernel": "k", "calls": [("f", IF_GPU)]},
        "f": {"violations": ["throw"], "calls": ["k"]},
    }
    found = lines(Analysis.of([source("a.cpp", functions)]).findings())
    assert [line.split(" ", 1)[1] for line in found if not line.startswith(" ")] == [
        "kernel 'k' calls itself through 'f'; recursion is not allowed in device code",
        "kernel 'k' does throw, which is not allowed in device code",
    ]
    assert "  a.cpp:12:1 'k' calls 'f' here, if gpu" in found


def kernel_of(source: Source, *targets: Target) -> tuple[Analysis, KernelReport]:
    functions = {
        "entry": {"kernel": "k", "object": "lambda", "calls": ["lambda"]},
        "lambda": {"calls": [("f", (NOT, *IF_FP16)), ("g", IF_PVC)], "uses": [FP16]},
        "f": {"calls": [("g", IF_GPU)], "uses": [ATOMIC64]},
        "g": {"uses": [FP64]},
    }
    analysis = Analysis.of([source("a.cpp", functions)])
    (report,) = analysis.kernels(targets)
    return analysis, report


def test_a_kernel_fits_by_the_conditions_that_hold(source: Source) -> None:
    both = Target("both", ("gpu", "fp16"), False)
    neither = Target("neither", ("gpu",), False)
    unknown = Target("unknown", ("gpu",), True)
    targets = (both, neither, unknown, TABLE["intel_gpu_pvc"])
    _, report = kernel_of(source, *targets)
    assert list(report.aspects) == ["fp16"]
    assert [(in_words(use.condition), use.aspect) for use in report.conditional] == [
        ("gpu and not fp16", FP64),
        ("not fp16", ATOMIC64),
        ("intel_gpu_pvc", FP64),
    ]
    assert {name: fit_text(each).missing for name, each in report.fits.items()} == {
        "both": (),
        "neither": ("fp16", "fp64", "atomic64"),
        "unknown": (),
        "intel_gpu_pvc": (),
    }
    assert fit_text(report.fits["unknown"]).unknown == ("fp16", "fp64", "atomic64")
    assumed = {name: resolution.assumed_missing for name, resolution in report.resolutions.items()}
    assert assumed == {"both": (), "neither": (), "unknown": ("fp16",), "intel_gpu_pvc": ()}


def test_a_fixed_target_resolves_conditions(source: Source) -> None:
    lacking = Target("intel_gpu_pvc", ("gpu", "fp16"), False)
    analysis, _ = kernel_of(source)
    assert analysis.findings([TABLE["intel_gpu_acm_g10"]]) == []
    assert lines(analysis.findings([lacking])) == [
        "a.cpp:20:6 kernel 'k' does not fit target 'intel_gpu_pvc', which lacks fp64",
        "  a.cpp:22:2 'k' calls 'g' here, if intel_gpu_pvc",
        "  a.cpp:41:1 uses aspect 'fp64' here: use of 6",
    ]


def test_facts_with_a_malformed_condition(source: Source) -> None:
    functions = {"f": {"calls": [("g", (ASPECT,))]}, "g": {}}
    with pytest.raises(CompileError, match=r"^a.cpp:12:1: error: malformed condition"):
        build_graph([source("a.cpp", functions)])

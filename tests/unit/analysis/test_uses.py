"""Which aspects functions use, and through which calls."""

from collections.abc import Callable
from itertools import pairwise

import pytest

from dovetail.analysis import Chain, Graph, Uses, build_graph
from dovetail.facts import Facts

Source = Callable[..., Facts]

FP16, FP64, ATOMIC64 = 5, 6, 28
DEEP = 100_000


def names(graph: Graph, chain: Chain) -> list[str]:
    """The functions that are called on the way, in order."""
    return [graph.nodes[step.callee].fact.symbol for step in chain.steps]


def test_uses_go_up_through_calls_and_cycles(source: Source) -> None:
    graph = build_graph(
        [
            source(
                "a.cpp",
                {
                    "k": {"calls": ["a"]},
                    "a": {"calls": ["b"], "uses": [FP16]},
                    "b": {"calls": ["a", "c"], "declared": [ATOMIC64]},
                    "c": {"uses": [FP64, FP64]},
                    "alone": {"uses": [FP16]},
                },
            )
        ]
    )
    uses = Uses(graph)
    assert [uses.of(node) for node in range(5)] == [
        (FP16, FP64, ATOMIC64),
        (FP16, FP64, ATOMIC64),
        (FP16, FP64, ATOMIC64),
        (FP64,),
        (FP16,),
    ]
    assert uses.undeclared(2) == (FP16, FP64)
    assert uses.undeclared(3) == ()


def test_a_chain_of_100_000_calls(source: Source) -> None:
    caller, user = source("a.cpp", {"f": {"calls": ["g"]}, "g": {"uses": [FP64]}}).functions
    (call,) = caller.calls
    callers = [
        caller._replace(symbol=f"f{n}", calls=(call._replace(callee=n + 1),)) for n in range(DEEP)
    ]
    graph = build_graph([Facts((), (*callers, user))])
    uses = Uses(graph)
    assert uses.of(0) == (FP64,)
    steps = uses.chain(0, FP64).steps
    assert len(steps) == DEEP
    assert all(one.callee == next_one.caller for one, next_one in pairwise(steps))


def test_the_shortest_chain_and_of_those_the_first(source: Source) -> None:
    functions = {
        "k": {"calls": ["long", "short", "other"]},
        "long": {"calls": ["longer"]},
        "longer": {"uses": [FP64]},
        "short": {"uses": [FP64, FP64]},
        "other": {"uses": [FP64]},
    }
    graph = build_graph([source("a.cpp", functions)])
    chain = Uses(graph).chain(0, FP64)
    assert names(graph, chain) == ["short"]
    assert str(chain.steps[0].place) == "a.cpp:12:2"
    assert str(chain.use.place) == "a.cpp:41:1"


def test_an_undefined_function_counts_with_its_declared_aspects(source: Source) -> None:
    functions = {
        "k": {"calls": ["f"]},
        "f": {"calls": ["elsewhere"]},
        "elsewhere": {"defined": False, "external": True, "declared": [FP16, FP64]},
    }
    graph = build_graph([source("a.cpp", functions)])
    chain = Uses(graph).chain(0, FP64)
    assert names(graph, chain) == ["f"]
    assert chain.use.what == "call of 'elsewhere', which is declared with device_has(fp16, fp64)"
    assert str(chain.use.place) == "a.cpp:22:1"


def test_code_that_uses_an_aspect_comes_before_an_attribute_that_lists_it(source: Source) -> None:
    functions = {
        "k": {"calls": ["f"], "declared": [FP64]},
        "f": {"calls": ["g"], "declared": [FP64]},
        "g": {"uses": [FP64]},
    }
    graph = build_graph([source("a.cpp", functions)])
    assert names(graph, Uses(graph).chain(0, FP64)) == ["f", "g"]


def test_an_attribute_without_uses_is_a_use(source: Source) -> None:
    graph = build_graph([source("a.cpp", {"k": {"declared": [FP64]}})])
    chain = Uses(graph).chain(0, FP64)
    assert chain.steps == ()
    assert chain.use.what == "listed by attribute 'device_has'"
    assert str(chain.use.place) == "a.cpp:9:3"


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_uses_cross_sources(source: Source, order: tuple[int, int]) -> None:
    sources = [
        source("a.cpp", {"k": {"calls": ["f"]}, "f": {"defined": False, "external": True}}),
        source("b.cpp", {"f": {"external": True, "uses": [FP64]}}),
    ]
    graph = build_graph([sources[index] for index in order])
    kernel = next(n for n, node in enumerate(graph.nodes) if node.fact.symbol == "k")
    chain = Uses(graph).chain(kernel, FP64)
    assert str(chain.steps[0].place) == "a.cpp:12:1"
    assert str(chain.use.place) == "b.cpp:11:1"

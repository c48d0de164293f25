"""How functions of several sources become one graph."""

from collections.abc import Callable

from dovetail.analysis import build_graph
from dovetail.analysis.graph import path_to
from dovetail.facts import Facts

Source = Callable[..., Facts]


def test_a_definition_is_the_node_of_declarations_in_other_sources(source: Source) -> None:
    graph = build_graph(
        [
            source("a.cpp", {"k": {"kernel": "k", "calls": ["f"]}, "f": {"defined": False}}),
            source("b.cpp", {"f": {"calls": ["g"]}, "g": {}}),
        ]
    )
    assert [node.fact.symbol for node in graph.nodes] == ["k", "f", "g"]
    assert graph.nodes[1].fact.place.file == "b.cpp"
    assert [fact.place.file for fact in graph.nodes[1].other_facts] == ["a.cpp"]
    assert graph.nodes[0].callees == (1,)
    assert graph.nodes[1].callees == (2,)


def test_inline_functions_are_one_and_internal_ones_are_not(source: Source) -> None:
    functions = {"inline": {"calls": ["static"]}, "static": {"internal": True}}
    graph = build_graph([source("a.cpp", functions), source("b.cpp", functions)])
    assert [node.fact.symbol for node in graph.nodes] == ["inline", "static", "static"]
    assert graph.nodes[0].callees == (1,)


def test_a_kernel_of_a_header_counts_once_and_equal_names_elsewhere_do_not(source: Source) -> None:
    kernel = {"k": {"kernel": "k", "object": "o"}, "o": {"internal": True}}
    graph = build_graph(
        [source("x/../a.h", kernel), source("a.h", kernel), source("b.cpp", kernel)]
    )
    files = [graph.nodes[kernel.code].fact.place.file for kernel in graph.kernels]
    assert files == ["x/../a.h", "b.cpp"]


def test_aspects_of_other_declarations_count(source: Source) -> None:
    graph = build_graph(
        [
            source("a.cpp", {"f": {"defined": False, "declared": [6]}}),
            source("b.cpp", {"f": {}}),
            source("c.cpp", {"f": {"defined": False, "declared": [5]}}),
        ]
    )
    (node,) = graph.nodes
    assert node.declaration
    assert node.declaration.aspects == (6,)
    assert node.declared_aspects == {5, 6}


def test_components_come_after_their_callees(source: Source) -> None:
    graph = build_graph(
        [
            source(
                "a.cpp",
                {
                    "k": {"calls": ["a", "self"]},
                    "a": {"calls": ["b"]},
                    "b": {"calls": ["c"]},
                    "c": {"calls": ["a", "leaf"]},
                    "self": {"calls": ["self"]},
                    "leaf": {},
                },
            )
        ]
    )
    names = [
        sorted(graph.nodes[member].fact.symbol for member in component)
        for component in graph.components
    ]
    assert names == [["leaf"], ["a", "b", "c"], ["self"], ["k"]]


def test_ways_are_the_shortest_and_start_at_the_first_root(source: Source) -> None:
    functions = {
        "k1": {"calls": ["a"]},
        "k2": {"calls": ["b", "c"]},
        "a": {"calls": ["b"]},
        "b": {"calls": ["c"]},
        "c": {},
    }
    graph = build_graph([source("a.cpp", functions)])
    last_calls = graph.shortest_paths([0, 1])
    root, steps = path_to(4, last_calls)
    assert root == 1
    assert [(step.caller, step.callee, step.place.line) for step in steps] == [(1, 4, 22)]
    assert path_to(2, last_calls)[0] == 0
    assert path_to(0, last_calls) == (0, ())

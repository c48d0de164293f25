"""The call graph."""

from collections.abc import Callable

import pytest

from dovetail.errors import IRError
from dovetail.ir import CallGraph, EdgeKind, Module

Parse = Callable[[str], Module]

SOURCE = """
    @table = global [1 x ptr] [ptr @held]
    declare void @leaf()
    declare void @held()
    declare void @taken()
    declare void @cast()
    define void @root(ptr %p) {
      call void @middle()
      call void @middle()
      store ptr @taken, ptr %p
      store ptr addrspace(4) addrspacecast (ptr @cast to ptr addrspace(4)), ptr %p
      ret void
    }
    define void @middle() {
      call void @leaf()
      call void @middle()
      ret void
    }
    define void @alone() { ret void }
    """


def test_edges_have_their_kinds(parse: Parse) -> None:
    graph = CallGraph.of(parse(SOURCE))
    edges = {
        (graph.names[source] if source >= 0 else None, graph.names[target], EdgeKind(kind))
        for source, target, kind in zip(graph.sources, graph.targets, graph.kinds, strict=True)
    }
    assert edges == {
        ("root", "middle", EdgeKind.DIRECT_CALL),
        ("root", "taken", EdgeKind.ADDRESS_TAKEN),
        ("root", "cast", EdgeKind.THROUGH_CONSTANT),
        ("middle", "leaf", EdgeKind.DIRECT_CALL),
        ("middle", "middle", EdgeKind.DIRECT_CALL),
        (None, "held", EdgeKind.THROUGH_CONSTANT),
    }


def test_callees_are_listed_once(parse: Parse) -> None:
    callees = CallGraph.of(parse(SOURCE)).callees({EdgeKind.DIRECT_CALL})
    assert callees["root"] == ("middle",)
    assert set(callees["middle"]) == {"leaf", "middle"}
    assert callees["alone"] == callees["leaf"] == ()


def test_reachable_follows_the_kinds_asked_for(parse: Parse) -> None:
    graph = CallGraph.of(parse(SOURCE))
    assert graph.reachable(["root"]) == {"root", "middle", "leaf", "taken", "cast"}
    assert graph.reachable(["root"], {EdgeKind.DIRECT_CALL}) == {"root", "middle", "leaf"}
    assert graph.reachable(["alone", "leaf"]) == {"alone", "leaf"}
    assert graph.reachable([]) == set()


def test_an_unknown_root_is_named(parse: Parse) -> None:
    with pytest.raises(IRError, match="did you mean 'middle'"):
        CallGraph.of(parse(SOURCE)).reachable(["midle"])


def test_a_module_without_functions_has_an_empty_graph(parse: Parse) -> None:
    graph = CallGraph.of(parse("@v = global i32 0"))
    assert graph.names == ()
    assert graph.callees() == {}

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


def test_reachable_follows_the_given_kinds(parse: Parse) -> None:
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


ALIASES = """
    @other = alias void (), ptr @f
    @another = alias void (), ptr @other
    define void @f() { ret void }
    define void @g() addrspace(1) { ret void }
    define void @calls_alias() { call void @another() \n ret void }
    define void @calls_cast() {
      call void addrspacecast (ptr addrspace(1) @g to ptr)()
      ret void
    }
    define void @takes_alias(ptr %p) { store ptr @other, ptr %p \n ret void }
    """


def edges_from(graph: CallGraph, name: str) -> set[tuple[str, EdgeKind]]:
    return {
        (graph.names[target], EdgeKind(kind))
        for source, target, kind in zip(graph.sources, graph.targets, graph.kinds, strict=True)
        if source >= 0 and graph.names[source] == name
    }


def test_calls_through_aliases_and_casts_are_direct(parse: Parse) -> None:
    graph = CallGraph.of(parse(ALIASES))
    assert edges_from(graph, "calls_alias") == {("f", EdgeKind.DIRECT_CALL)}
    assert edges_from(graph, "calls_cast") == {("g", EdgeKind.DIRECT_CALL)}
    assert edges_from(graph, "takes_alias") == {("f", EdgeKind.THROUGH_CONSTANT)}
    assert list(graph.indirect_callers) == []


INDIRECT = """
    declare i32 @first(i32)
    declare void @second()
    declare i32 @like_first(i32)
    define void @direct() { call void @second() \n ret void }
    define void @assembles() { call void asm "nop", ""() \n ret void }
    define void @indirect(ptr %p) {
      call i32 %p(i32 1)
      call i32 %p(i32 2)
      call float %p(float 1.0)
      ret void
    }
    define void @as_argument(ptr %p) {
      call void %p(ptr @second)
      ret void
    }
    """


def test_functions_have_numbers_for_their_types(parse: Parse) -> None:
    graph = CallGraph.of(parse(INDIRECT))
    assert graph.names[:3] == ("first", "second", "like_first")
    #                           first, second, like_first, direct, assembles, indirect, as_argument
    assert list(graph.types) == [0, 1, 0, 1, 1, 2, 2]


def test_indirect_calls_are_listed_once_for_each_type(parse: Parse) -> None:
    graph = CallGraph.of(parse(INDIRECT))
    indirect, as_argument = (graph.names.index(name) for name in ("indirect", "as_argument"))
    calls = list(zip(graph.indirect_callers, graph.indirect_types, strict=True))
    type_of_no_function = 3
    assert calls == [(indirect, 0), (indirect, type_of_no_function), (as_argument, 2)]

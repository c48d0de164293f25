"""List, generate and replace conditional calls."""

from collections.abc import Callable

import pytest

from dovetail.errors import IRError
from dovetail.ir import CallGraph, EdgeKind, Module

Parse = Callable[[str], Module]

MARK = "conditional"
CALLS = """
    declare spir_func void @if_1(ptr, ptr byval(i64), i32, i32) #0
    declare spir_func void @if_2(ptr, ptr byval(i64), i32) #0
    declare void @other(ptr)
    define void @b(ptr %p, i32 %n) {
      call spir_func void @if_1(ptr @one, ptr byval(i64) align 8 %p, i32 1, i32 -2) #1
      call spir_func void @if_1(ptr @two, ptr byval(i64) align 8 %p, i32 1, i32 -2) #1
      call void @other(ptr @plain)
      ret void
    }
    define void @a(ptr %p) {
      call spir_func void @if_2(ptr @one, ptr byval(i64) align 8 %p, i32 7)
      ret void
    }
    define spir_func i32 @one(ptr byval(i64) %p) noinline { ret i32 1 }
    define spir_func i32 @two(ptr byval(i64) %p) { ret i32 2 }
    define void @plain() { ret void }
    attributes #0 = { "conditional"="true" }
    attributes #1 = { nounwind convergent nomerge }
    """


def test_they_are_listed_in_the_order_of_the_code(parse: Parse) -> None:
    calls = parse(CALLS.replace("i32 7", "i32 undef")).conditional_calls(MARK)
    assert [(each.caller, each.callee, each.action, each.condition) for each in calls] == [
        ("b", "if_1", "one", (1, -2)),
        ("b", "if_1", "two", (1, -2)),
        ("a", "if_2", "one", (None,)),
    ]
    assert parse(CALLS).conditional_calls("unknown") == []


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("ptr @one, ptr byval(i64) align 8 %p, i32 7", "ptr %p, ptr %p, i32 7", "not a function"),
        ("ptr @one, ptr byval(i64) align 8 %p, i32 7", "ptr @fits, ptr %p, i32 7", "argument 1"),
        ("ptr @one, ptr byval(i64) align 8 %p, i32 7", "ptr @long, ptr %p, i32 7", "lacks"),
        (
            "ptr @one, ptr byval(i64) align 8 %p, i32 7",
            "ptr @short, ptr %p, i32 7",
            "not a condition",
        ),
    ],
)
def test_calls_of_another_form_are_refused(
    parse: Parse, before: str, after: str, message: str
) -> None:
    more = "declare void @fits(i64) declare void @long(ptr, i32, i64) declare void @short()"
    module = parse(CALLS.replace(before, after) + more)
    with pytest.raises(IRError, match=rf"in 'a', call of 'if_2': .*{message}"):
        module.conditional_calls(MARK)


def test_they_become_direct_calls_or_are_removed(parse: Parse) -> None:
    module = parse(CALLS)
    targets: dict[tuple[str, tuple[int, ...]], str | None] = {
        ("one", (1, -2)): "one.2",
        ("two", (1, -2)): None,
        ("one", (7,)): "one",
        ("one", (8,)): "nowhere",
    }
    module.rewrite_conditional_calls(MARK, targets)
    module.verify()
    text = module.to_text()
    assert "call spir_func i32 @one.2(ptr byval(i64) align 8 %p) #" in text
    assert "call spir_func i32 @one(ptr byval(i64) align 8 %p)\n" in text
    assert "@two(ptr byval(i64) align 8" not in text
    assert "declare spir_func i32 @one.2(ptr byval(i64)) #" in text
    assert "{ noinline }" in text
    assert "{ convergent nounwind }" in text  # of the call: what kept it apart is of no use now
    assert "@if_" not in text
    assert "nowhere" not in text


def test_calls_that_are_not_listed_stay(parse: Parse) -> None:
    module = parse(CALLS)
    module.rewrite_conditional_calls(MARK, {("two", (1, -2)): None})
    actions = [(each.action, each.condition) for each in module.conditional_calls(MARK)]
    assert actions == [("one", (1, -2)), ("one", (7,))]


def test_failed_rewriting_changes_nothing(parse: Parse) -> None:
    module = parse(CALLS)
    before = module.to_text()
    for wrong in ("plain", "b"):
        with pytest.raises(IRError, match=f"'{wrong}' has not the type of 'one'"):
            module.rewrite_conditional_calls(MARK, {("two", (1, -2)): None, ("one", (7,)): wrong})
    assert module.to_text() == before
    module = parse(CALLS.replace("i32 7", "i32 undef"))
    with pytest.raises(IRError, match=r"in 'a', call of 'if_2': .* not all constant"):
        module.rewrite_conditional_calls(MARK, {("two", (1, -2)): None})


def test_one_new_name_has_one_type(parse: Parse) -> None:
    more = """
        declare void @if_3(ptr, i32) #0
        define void @c() { call void @if_3(ptr @plain, i32 1) \n ret void }
        """
    module = parse(CALLS + more)
    with pytest.raises(IRError, match="'new' has not the type of 'plain'"):
        module.rewrite_conditional_calls(MARK, {("one", (7,)): "new", ("plain", (1,)): "new"})


def test_the_call_graph_distinguishes_them_from_references(parse: Parse) -> None:
    module = parse(CALLS)
    conditional = {EdgeKind.CONDITIONAL_CALL}
    graph = CallGraph.of(module, MARK)
    assert graph.callees(conditional) | {} == {
        **dict.fromkeys(graph.names, ()),
        "a": ("one",),
        "b": ("one", "two"),
    }
    assert graph.reachable(["a", "b"]) == {"a", "b", "if_1", "if_2", "other", "plain"}
    plain = CallGraph.of(module)
    assert plain.callees({EdgeKind.ADDRESS_TAKEN})["b"] == ("one", "two", "plain")


def test_a_cast_action(parse: Parse) -> None:
    module = parse("""
        declare void @if_1(ptr addrspace(4), i32) #0
        define void @a() {
          call void @if_1(ptr addrspace(4) addrspacecast (ptr @action to ptr addrspace(4)), i32 1)
          ret void
        }
        define void @action() { ret void }
        attributes #0 = { "conditional" }
        """)
    assert [each.action for each in module.conditional_calls(MARK)] == ["action"]
    graph = CallGraph.of(module, MARK)
    assert graph.callees({EdgeKind.CONDITIONAL_CALL})["a"] == ("action",)


CALLERS = """
    define void @first(i32 %n) {
      call void @caller(i32 %n, i32 -1, i32 6)
      call void @caller(i32 %n, i32 -1, i32 5)
      ret void
    }
    define void @caller(i32 %piece, i32 %0, i32 %1) #0 {
      %object = alloca i32
      %kept = alloca i32
      store i32 %0, ptr %kept
      store i32 %piece, ptr %object
      %pair = call {i32, i32} @action(ptr %object)
      %half = extractvalue {i32, i32} %pair, 1
      store i32 %half, ptr %kept
      ret void
    }
    define {i32, i32} @action(ptr %object) { ret {i32, i32} zeroinitializer }
    attributes #0 = { noinline "conditional"="true" }
    """


def test_the_condition_is_the_unused_parameters_of_a_caller(parse: Parse) -> None:
    (caller,) = parse(CALLERS).conditional_callers(MARK)
    assert (caller.name, caller.action, caller.call_count) == ("caller", "action", 1)
    assert caller.calls == [("first", (-1, 6)), ("first", (-1, 5))]
    assert not caller.is_referenced


def test_callers_are_expanded_as_given(parse: Parse) -> None:
    module = parse(CALLERS)
    module.expand_conditional_callers(
        MARK, {("caller", (-1, 6)): ("if_1", (-3, -1, 5)), ("caller", (-1, 5)): True}
    )
    module.verify()
    text = module.to_text()
    assert "call void @if_1(ptr @action, ptr %object.i, i32 -3, i32 -1, i32 5)" in text
    assert text.count("call { i32, i32 } @action(ptr %object.i") == 1
    assert "@caller" not in text
    assert module.function_attributes(MARK) == {"if_1": "true"}


def test_lists_for_the_compiler_are_not_references(parse: Parse) -> None:
    lists = """
        @text = private constant [2 x i8] c"x\\00"
        @llvm.used = appending global [2 x ptr] [ptr @caller, ptr @first], section "llvm.metadata"
        @llvm.global.annotations = appending global [2 x { ptr, ptr }] [
          { ptr, ptr } { ptr @caller, ptr @text }, { ptr, ptr } { ptr @first, ptr @text }
        ], section "llvm.metadata"
        """
    module = parse(lists + CALLERS)
    assert not module.conditional_callers(MARK)[0].is_referenced
    never = {("caller", (-1, 6)): False, ("caller", (-1, 5)): False}
    module.expand_conditional_callers(MARK, never)
    module.verify()
    text = module.to_text()
    assert "@llvm.used = appending global [1 x ptr] [ptr @first], section" in text
    assert "[1 x { ptr, ptr }] [{ ptr, ptr } { ptr @first, ptr @text }], section" in text
    module = parse(lists.replace("@first", "@caller") + CALLERS)
    module.expand_conditional_callers(MARK, never)
    module.verify()
    assert module.global_variables()[0].name == "text"
    assert len(module.global_variables()) == 1


def test_a_call_that_is_never_made_leaves_its_arguments(parse: Parse) -> None:
    module = parse(CALLERS)
    never = {("caller", (-1, 6)): False, ("caller", (-1, 5)): False}
    module.expand_conditional_callers(MARK, never)
    module.verify()
    text = module.to_text()
    assert "call { i32, i32 }" not in text
    assert "store i32 %n, ptr %object.i" in text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "ret void\n    }\n    define {",
            "call void @first(i32 0)\n ret void\n    }\n    define {",
        ),
        ("store i32 %half, ptr %kept", "store i32 %half, ptr @global"),
        ("call {i32, i32} @action(ptr", "call {i32, i32} @caller2(ptr"),
        ("define void @first", "@table = global ptr @caller\n    define void @first"),
    ],
)
def test_only_callers_are_expanded(parse: Parse, before: str, after: str) -> None:
    assert before in CALLERS
    more = "define {i32, i32} @caller2(ptr %p) #0 { ret {i32, i32} zeroinitializer }"
    module = parse("@global = global i32 0\n" + CALLERS.replace(before, after) + more)
    text = module.to_text()
    with pytest.raises(IRError, match="'caller' cannot be expanded"):
        module.expand_conditional_callers(MARK, {})
    assert module.to_text() == text


def test_every_call_needs_an_expansion(parse: Parse) -> None:
    module = parse(CALLERS)
    with pytest.raises(IRError, match="no expansion is given for the call of 'caller' in 'first'"):
        module.expand_conditional_callers(MARK, {("caller", (-1, 6)): True})


def test_apart_functions_are_declared_in_a_part(parse: Parse) -> None:
    module = parse("""
        $action = comdat any
        define void @main() { call void @action() \n call void @helper() \n ret void }
        define void @helper() { ret void }
        define linkonce_odr void @action() #0 comdat !note !0 {
          call void @inner() \n call void @other() \n ret void
        }
        define internal void @other() #0 { ret void }
        define void @inner() { ret void }
        attributes #0 = { noinline "apart" }
        !0 = !{!"text"}
        """)
    part = module.extract(["main"], apart="apart")
    part.verify()
    assert {f.name: f.is_declaration for f in part.functions()} == {
        "main": False,
        "helper": False,
        "action": True,
    }
    assert "declare void @action() #0" in part.to_text()
    part = module.extract(["action"], public=["action"], apart="apart")
    part.verify()
    linkages = {f.name: (f.is_declaration, f.linkage) for f in part.functions()}
    assert linkages == {
        "action": (False, "external"),
        "inner": (False, "internal"),
        "other": (True, "external"),
    }


def test_functions_can_be_made_empty(parse: Parse) -> None:
    module = parse("""
        $some = comdat any
        @variable = internal global i32 0
        define linkonce_odr spir_func nonnull ptr @some(ptr noalias %p) noreturn comdat !note !0 {
          store ptr @variable, ptr %p
          unreachable
        }
        define void @none() { call void @none() \n ret void }
        declare void @outside()
        !0 = !{!"text"}
        """)
    with pytest.raises(IRError, match="outside"):
        module.make_empty(["none", "outside"])
    assert "call void @none" in module.to_text()
    module.make_empty(["none", "some"])
    module.verify()
    text = module.to_text()
    assert "define linkonce_odr spir_func ptr @some(ptr noalias %p) comdat {" in text
    assert "ret ptr null" in text
    assert "define void @none() {\nentry:\n  ret void\n}" in text

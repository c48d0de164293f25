"""Metadata of variables, execution modes and annotations of pointers."""

from collections.abc import Callable

import pytest

from dovetail.errors import IRError
from dovetail.ir import Module

Parse = Callable[[str], Module]

ANNOTATED = """
@.a = private unnamed_addr constant [4 x i8] c"one\\00", section "llvm.metadata"
@.b = private unnamed_addr constant [4 x i8] c"two\\00", section "llvm.metadata"
@.f = private unnamed_addr constant [6 x i8] c"a.cpp\\00", section "llvm.metadata"
declare ptr @llvm.ptr.annotation.p0.p0(ptr, ptr, ptr, i32, ptr)
define void @f(ptr %p) {
  %a = call ptr @llvm.ptr.annotation.p0.p0(ptr %p, ptr @.a, ptr @.f, i32 1, ptr null)
  store i32 1, ptr %a
  %b = call ptr @llvm.ptr.annotation.p0.p0(ptr %p, ptr @.b, ptr @.f, i32 2, ptr null)
  store i32 2, ptr %b
  %c = call ptr @llvm.ptr.annotation.p0.p0(ptr %p, ptr @.a, ptr @.f, i32 3, ptr null)
  store i32 3, ptr %c
  ret void
}
"""


def test_metadata_of_variables(parse: Parse) -> None:
    module = parse("@a = global i32 0, !k !0\n@b = global i32 0\n!0 = !{i32 1, !1}\n!1 = !{}")
    assert module.global_variable_metadata("k") == {"a": [1, []]}
    module.set_global_variable_metadata("k", {"a": None, "b": [[6188, "text"]]})
    assert module.global_variable_metadata("k") == {"b": [[6188, "text"]]}
    with pytest.raises(IRError, match="'c'"):
        module.set_global_variable_metadata("k", {"a": [1], "c": [1]})
    assert "a" not in module.global_variable_metadata("k")
    module.verify()


def test_execution_modes(parse: Parse) -> None:
    module = parse(
        "define void @f() { ret void }\n!spirv.ExecutionMode = !{!0}\n!0 = !{ptr @f, i32 31}"
    )
    assert module.execution_modes() == [("f", [31])]
    module.set_execution_modes([("f", [17, 8, 4, 1]), ("f", [31])])
    assert module.execution_modes() == [("f", [17, 8, 4, 1]), ("f", [31])]
    assert "!{ptr @f, i32 17, i32 8, i32 4, i32 1}" in module.to_text()
    module.verify()
    module.set_execution_modes([])
    assert module.execution_modes() == []
    assert "spirv.ExecutionMode" not in module.to_text()


@pytest.mark.parametrize("node", ["i32 1, i32 31", "null, i32 31", "ptr @f"])
def test_execution_modes_of_nothing(parse: Parse, node: str) -> None:
    text = f"define void @f() {{ ret void }}\n!spirv.ExecutionMode = !{{!0}}\n!0 = !{{{node}}}"
    with pytest.raises(IRError, match="does not name a function and a mode"):
        parse(text).execution_modes()


def test_annotations(parse: Parse) -> None:
    module = parse(ANNOTATED)
    assert sorted(module.pointer_annotations()) == ["one", "two"]
    module.set_pointer_annotations({"one": "1", "none": "0"})
    assert sorted(module.pointer_annotations()) == ["1", "two"]
    assert "one" not in module.to_text()
    module.verify()
    module.set_pointer_annotations({"two": None})
    assert module.pointer_annotations() == ["1"]
    assert "store i32 2, ptr %p" in module.to_text()
    module.set_pointer_annotations({"1": None})
    assert "a.cpp" not in module.to_text()
    module.verify()


LISTED = """
    @.text = private constant [16 x i8] c"sycl-properties\\00"
    @.name = private constant [4 x i8] c"a,=\\00"
    @.value = private constant [5 x i8] c"b,=\\5C\\00"
    @.list = private constant { ptr, ptr, ptr, ptr }
      { ptr @.name, ptr @.value, ptr @.name, ptr null }
    @.file = private constant { ptr, ptr } { ptr @.list, ptr @.text }
    declare ptr @llvm.ptr.annotation.p0.p0(ptr, ptr, ptr, i32, ptr)
    define ptr @f(ptr %p) {
      %a = call ptr @llvm.ptr.annotation.p0.p0(ptr %p, ptr @.text, ptr @.file, i32 1, ptr LIST)
      ret ptr %a
    }
    """


def test_properties_that_are_listed_are_in_the_text(parse: Parse) -> None:
    module = parse(LISTED.replace("LIST", "@.list"))
    text = r"sycl-properties:a\,\==b\,=\\,a\,\="
    assert module.pointer_annotations() == [text]
    module.set_pointer_annotations({text: None})
    assert "private" not in module.to_text()
    module.verify()


@pytest.mark.parametrize("nothing", ["null", "@.name", "@f"])
def test_lists_of_no_properties(parse: Parse, nothing: str) -> None:
    module = parse(LISTED.replace("LIST", nothing))
    assert module.pointer_annotations() == ["sycl-properties:"]
    module.set_pointer_annotations({"sycl-properties:": "x"})
    assert "i32 1, ptr null" in module.to_text()
    module.verify()


def test_texts_may_change_places(parse: Parse) -> None:
    module = parse(ANNOTATED)
    module.set_pointer_annotations({"one": "two", "two": "one"})
    assert sorted(module.pointer_annotations()) == ["one", "two"]
    module.set_pointer_annotations({"one": None})
    text = module.to_text()
    assert [f"store i32 {n}, ptr %p" in text for n in (1, 2, 3)] == [False, True, False]
    module.verify()

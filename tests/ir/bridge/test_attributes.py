"""Attributes of functions, parameters and global variables."""

from collections.abc import Callable

import pytest

from dovetail.errors import IRError
from dovetail.ir import Module

Parse = Callable[[str], Module]

SOURCE = """
    @v = global i32 0 #0
    define void @f(i32 "kind"="in" %a, ptr noalias %b) #1 { ret void }
    declare void @g()
    attributes #0 = { "unique-id"="v1" }
    attributes #1 = { nounwind "unique-id"="f1" "other"="x" }
    """


def test_function_attributes(parse: Parse) -> None:
    module = parse(SOURCE)
    assert module.function_attributes("unique-id") == {"f": "f1"}
    module.set_function_attributes({"f": {"unique-id": None}, "g": {"unique-id": "g1", "new": ""}})
    assert module.function_attributes("unique-id") == {"g": "g1"}
    assert module.function_attributes("new") == {"g": ""}
    assert module.function_attributes("other") == {"f": "x"}


def test_keys_of_string_attributes(parse: Parse) -> None:
    assert parse(SOURCE).string_attribute_keys() == ["kind", "other", "unique-id"]
    strange = parse('define void @f() "a\\FF"="b" "b" { ret void }\n@v = global i32 0 "a"="c"')
    assert strange.string_attribute_keys() == ["a", "b"]
    assert parse("declare void @f() nounwind").string_attribute_keys() == []


def test_llvms_own_attributes_are_not_mistaken_for_strings(parse: Parse) -> None:
    module = parse(SOURCE)
    assert module.function_attributes("nounwind") == {"f": ""}
    module.set_function_attributes({"f": {"nounwind": None, "alwaysinline": ""}})
    assert module.function_attributes("nounwind") == {}
    assert '"alwaysinline"' not in module.to_text()
    assert "alwaysinline" in module.to_text()
    with pytest.raises(IRError, match="takes no value"):
        module.set_function_attributes({"f": {"cold": "yes"}})
    with pytest.raises(IRError, match="not a string"):
        module.function_attributes("memory")


def test_global_variable_attributes(parse: Parse) -> None:
    module = parse(SOURCE)
    assert module.global_variable_attributes("unique-id") == {"v": "v1"}
    module.set_global_variable_attributes({"v": {"unique-id": None, "host": "1"}})
    assert module.global_variable_attributes("unique-id") == {}
    assert module.global_variable_attributes("host") == {"v": "1"}


def test_parameter_attributes(parse: Parse) -> None:
    module = parse(SOURCE)
    assert module.parameter_attributes("kind") == {("f", 0): "in"}
    assert module.parameter_attributes("noalias") == {("f", 1): ""}
    module.set_parameter_attributes({("f", 0): {"kind": None}, ("f", 1): {"kind": "out"}})
    assert module.parameter_attributes("kind") == {("f", 1): "out"}
    assert module.parameter_attributes("noalias") == {("f", 1): ""}


def test_nothing_changes_if_one_name_is_wrong(parse: Parse) -> None:
    module = parse(SOURCE)
    before = module.to_text()
    with pytest.raises(IRError, match="no function named 'nobody'"):
        module.set_function_attributes({"f": {"a": "b"}, "nobody": {}})
    with pytest.raises(IRError, match="no parameter 2"):
        module.set_parameter_attributes({("f", 0): {"a": "b"}, ("f", 2): {"a": "b"}})
    with pytest.raises(IRError, match="no global variable named 'f'"):
        module.set_global_variable_attributes({"f": {"a": "b"}})
    assert module.to_text() == before

"""Metadata of functions and modules."""

from collections.abc import Callable

import pytest

from dovetail.errors import IRError
from dovetail.ir import Integer, Module

Parse = Callable[[str], Module]

TWO_FUNCTIONS = """
    define void @f() !sycl_used_aspects !0 { ret void }
    declare void @g()
    !0 = !{i32 8, !1, null}
    !1 = !{!"fp64", i64 6}
    !names = !{!0, !1}
    """


def test_nodes_are_read(parse: Parse) -> None:
    module = parse(TWO_FUNCTIONS)
    expected = {"f": [8, ["fp64", Integer(6, 64)], None]}
    assert module.function_metadata("sycl_used_aspects") == expected
    assert module.function_metadata("no_such_kind") == {}


def test_nodes_are_written_and_removed(parse: Parse) -> None:
    module = parse(TWO_FUNCTIONS)
    module.set_function_metadata("sycl_used_aspects", {"f": None, "g": (-1, ("a", (1,)))})
    assert module.function_metadata("sycl_used_aspects") == {"g": [-1, ["a", [1]]]}
    assert "declare !sycl_used_aspects" in module.to_text()
    module.verify()


def test_a_plain_int_is_an_i32_and_integer_has_its_own_width(parse: Parse) -> None:
    module = parse("declare void @f()")
    module.set_function_metadata("k", {"f": [4294967295, Integer(1 << 40, 64), Integer(1, 1)]})
    assert "!{i32 -1, i64 1099511627776, i1 true}" in module.to_text()
    wide = module.function_metadata("k")["f"][1]
    assert isinstance(wide, Integer)
    assert int(wide) == 1 << 40


@pytest.mark.parametrize("value", [1 << 32, -(1 << 31) - 1])
def test_an_int_that_does_not_fit_is_refused(parse: Parse, value: int) -> None:
    module = parse("declare void @f()")
    with pytest.raises(IRError, match="does not fit i32"):
        module.set_function_metadata("k", {"f": [value]})


def test_nothing_changes_if_one_function_is_missing(parse: Parse) -> None:
    module = parse(TWO_FUNCTIONS)
    before = module.to_text()
    with pytest.raises(IRError, match="no function named 'nobody'"):
        module.set_function_metadata("sycl_used_aspects", {"f": None, "nobody": [1]})
    assert module.to_text() == before


def test_operands_without_python_type_are_refused(parse: Parse) -> None:
    module = parse("declare !k !0 void @f()\n!0 = !{ptr @f}")
    with pytest.raises(IRError, match="other than integers"):
        module.function_metadata("k")


def test_cyclic_metadata_is_refused(parse: Parse) -> None:
    module = parse("declare !k !0 void @f()\n!0 = distinct !{!0}")
    with pytest.raises(IRError, match="nested too deeply"):
        module.function_metadata("k")


def test_named_lists(parse: Parse) -> None:
    module = parse(TWO_FUNCTIONS)
    assert module.named_metadata("names")[1] == ["fp64", Integer(6, 64)]
    assert module.named_metadata("absent") == []
    module.set_named_metadata("names", [[1], ["two"]])
    assert module.named_metadata("names") == [[1], ["two"]]
    module.set_named_metadata("names", [])
    assert "!names" not in module.to_text()


def test_integer_compares_by_value_and_width() -> None:
    assert Integer(1, 64) == Integer(1, 64)
    assert Integer(1, 64) != Integer(1, 8)
    assert Integer(1, 64) != "1"
    assert len({Integer(1, 64), Integer(1, 64)}) == 1
    with pytest.raises(IRError, match="1 to 64 bits"):
        Integer(1, 65)


def test_named_lists_are_listed(parse: Parse) -> None:
    module = parse(TWO_FUNCTIONS)
    module.set_named_metadata("more", [[1]])
    assert module.named_metadata_names() == ["names", "more"]
    assert parse("").named_metadata_names() == []

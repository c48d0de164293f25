"""Which functions refer to which global variables."""

from collections.abc import Callable

import pytest

from dovetail.errors import IRError
from dovetail.ir import Module

Parse = Callable[[str], Module]

SOURCE = """
    @direct = global i32 0
    @nested = global [4 x i32] zeroinitializer
    @inner = addrspace(1) global i32 0
    @holder = global ptr addrspace(4) addrspacecast (ptr addrspace(1) @inner to ptr addrspace(4))
    @outer = global ptr @holder
    @loop = global ptr @loop
    @aliased = global i32 0
    @other_name = alias i32, ptr @aliased
    @as_prefix = global i32 0
    @unused = global i32 0
    define void @second(ptr %p) {
      store ptr getelementptr ([4 x i32], ptr @nested, i64 0, i64 1), ptr %p
      store ptr @outer, ptr %p
      store i32 1, ptr @direct
      store i32 2, ptr @direct
      ret void
    }
    define void @first() {
      store i32 1, ptr @other_name
      store i32 1, ptr @direct
      ret void
    }
    define void @third() prefix ptr @as_prefix {
      %p = load ptr, ptr @loop
      %q = load ptr, ptr @holder
      ret void
    }
    """


def test_functions_are_found_through_constants_variables_and_aliases(parse: Parse) -> None:
    wanted = ["unused", "direct", "nested", "inner", "holder", "aliased", "loop", "as_prefix"]
    assert parse(SOURCE).variable_users(wanted) == {
        "unused": [],
        "direct": ["second", "first"],
        "nested": ["second"],
        "inner": ["second", "third"],
        "holder": ["second", "third"],
        "aliased": ["first"],
        "loop": ["third"],
        "as_prefix": ["third"],
    }


def test_a_name_may_be_given_twice(parse: Parse) -> None:
    assert parse(SOURCE).variable_users(["nested", "nested"]) == {"nested": ["second"]}
    assert parse(SOURCE).variable_users([]) == {}


def test_only_variables_have_users(parse: Parse) -> None:
    with pytest.raises(IRError, match="no global variable named 'first'"):
        parse(SOURCE).variable_users(["direct", "first"])

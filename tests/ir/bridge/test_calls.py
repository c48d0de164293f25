"""Listing and replacing the calls of a function."""

from collections.abc import Callable

import pytest

from dovetail.errors import IRError
from dovetail.ir import Module

Parse = Callable[[str], Module]

ALLOCATE = "declare spir_func ptr addrspace(3) @allocate(i64, i64)\n"


def test_arguments_are_read_in_the_order_of_the_text(parse: Parse) -> None:
    module = parse("""
        declare void @f(i32, ptr, i32)
        define void @b(i32 %x) {
          call void @f(i32 1, ptr @b, i32 %x)
          call void @f(i32 -2, ptr null, i32 3)
          ret void
        }
        define void @a(ptr %p) {
          call void %p(ptr @f)
          call void @f(i32 4, ptr %p, i32 5)
          ret void
        }
        """)
    assert module.calls_to("f") == [
        ("b", (1, "b", None)),
        ("b", (-2, None, 3)),
        ("a", (4, None, 5)),
    ]
    assert module.calls_to("a") == []
    with pytest.raises(IRError, match="no function named 'g'"):
        module.calls_to("g")


def test_allocations_become_globals(parse: Parse) -> None:
    module = parse(
        ALLOCATE
        + """
        define spir_kernel void @k() {
          %p = call spir_func ptr addrspace(3) @allocate(i64 64, i64 16)
          store i8 1, ptr addrspace(3) %p
          %q = call spir_func ptr addrspace(3) @allocate(i64 4, i64 4)
          store i8 2, ptr addrspace(3) %q
          ret void
        }
        """
    )
    names = module.replace_calls_with_globals("allocate", 3)
    first, second = module.global_variables()
    assert [first.name, second.name] == names
    assert first.name == "k.local"
    assert (first.size, first.alignment, first.address_space) == (64, 16, 3)
    assert (second.size, second.alignment, second.linkage) == (4, 4, "internal")
    assert f"store i8 2, ptr addrspace(3) @{second.name}" in module.to_text()
    assert [function.name for function in module.functions()] == ["k"]
    module.verify()


def test_the_address_is_cast_where_the_type_differs(parse: Parse) -> None:
    module = parse("""
        declare ptr addrspace(4) @allocate(i64, i64)
        define ptr addrspace(4) @f() {
          %p = call ptr addrspace(4) @allocate(i64 8, i64 8)
          ret ptr addrspace(4) %p
        }
        """)
    module.replace_calls_with_globals("allocate", 3)
    cast = "addrspacecast (ptr addrspace(3) @f.local to ptr addrspace(4))"
    assert f"ret ptr addrspace(4) {cast}" in module.to_text()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("call spir_func ptr addrspace(3) @allocate(i64 %n, i64 4)", "must be constants"),
        ("call spir_func ptr addrspace(3) @allocate(i64 4, i64 3)", "alignment 3"),
        ("call spir_func ptr addrspace(3) @allocate(i64 4, i64 0)", "alignment 0"),
    ],
)
def test_bad_allocations_name_their_caller(parse: Parse, call: str, message: str) -> None:
    good = "call spir_func ptr addrspace(3) @allocate(i64 4, i64 4)"
    module = parse(ALLOCATE + f"define void @caller(i64 %n) {{\n{good}\n{call}\nret void }}")
    with pytest.raises(IRError, match=f"in 'caller'.*{message}"):
        module.replace_calls_with_globals("allocate", 3)
    assert module.global_variables() == []

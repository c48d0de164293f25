"""Initial values of global variables."""

import struct

import pytest

from dovetail.errors import IRError
from dovetail.ir import Context, Module

TEXT = b"""
target datalayout = "e-p:64:64-i64:64-f64:64"
%s = type { i8, i32, [2 x half], double, ptr }
@structure = global %s { i8 1, i32 -2, [2 x half] [half 1.0, half 2.0], double 0.5, ptr null }
@zero = global %s zeroinitializer
@undefined = global i32 undef
@partly = global { i8, [3 x i8], i32 } { i8 7, [3 x i8] undef, i32 9 }
@row = global [3 x i16] [i16 1, i16 2, i16 3]
@address = global { i32, ptr } { i32 1, ptr @row }
@elsewhere = external global i32
"""


@pytest.fixture
def module() -> Module:
    return Module.parse(Context(), TEXT, "values")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("structure", struct.pack("<bxxxi2exxxxdQ", 1, -2, 1.0, 2.0, 0.5, 0)),
        ("zero", b""),
        ("undefined", b""),
        ("partly", struct.pack("<Bxxxi", 7, 9)),
        ("row", struct.pack("<3h", 1, 2, 3)),
    ],
)
def test_bytes(module: Module, name: str, expected: bytes) -> None:
    assert module.initial_bytes(name) == expected


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("address", "'address' has bytes that are not known before a program runs"),
        ("elsewhere", "not defined here"),
        ("nothing", "nothing"),
    ],
)
def test_unknown_values(module: Module, name: str, problem: str) -> None:
    with pytest.raises(IRError, match=problem):
        module.initial_bytes(name)


def test_variables_become_bytes(module: Module) -> None:
    before = module.initial_bytes("structure")
    module.make_bytes(["structure", "zero"])
    module.verify()
    assert module.initial_bytes("structure") == before
    text = module.to_text()
    assert "@structure = global [32 x i8]" in text
    assert "@zero = global [32 x i8] zeroinitializer, align 8" in text


def test_variables_with_addresses_stay_as_they_are(module: Module) -> None:
    text = module.to_text()
    with pytest.raises(IRError, match="'address' has bytes that are not known"):
        module.make_bytes(["row", "address"])
    assert module.to_text() == text


def test_users_of_variables_that_become_bytes() -> None:
    text = b"""
@v = addrspace(1) global double 0.5, align 16, !kept !0 #0
define double @f() { %value = load double, ptr addrspace(1) @v ret double %value }
attributes #0 = { "sycl-unique-id"="v" }
!0 = !{i32 1}
"""
    module = Module.parse(Context(), text, "uses")
    module.make_bytes(["v"])
    module.verify()
    assert module.global_variable_attributes("sycl-unique-id") == {"v": "v"}
    written = module.to_text()
    assert "@v = addrspace(1) global [8 x i8]" in written
    assert "align 16, !kept !0 #0" in written
    assert "load double, ptr addrspace(1) @v" in written

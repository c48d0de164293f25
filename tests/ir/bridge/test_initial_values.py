"""What global variables hold before anything has run."""

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
def test_what_is_not_known(module: Module, name: str, problem: str) -> None:
    with pytest.raises(IRError, match=problem):
        module.initial_bytes(name)

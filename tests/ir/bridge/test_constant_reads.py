"""Reads of specialization constants that cannot be split."""

import pytest

from dovetail.errors import IRError
from dovetail.ir import Context, Module

READS = """
@known = constant i32 1
@unknown = external constant i32
@pointer = constant ptr @known
declare void @read(ptr, ptr)
define void @f(ptr %p) {{
  call void @read(ptr %p, ptr {variable})
  ret void
}}
"""


def module(variable: str) -> Module:
    return Module.parse(Context(), READS.format(variable=variable).encode(), "m")


def split(of: Module) -> None:
    of.split_constant_reads("read", "scalar.", "described", {"known": "renamed"})


@pytest.mark.parametrize(
    ("variable", "problem"),
    [
        ("%p", "in 'f', call of 'read': the variable is not known"),
        ("@unknown", "in 'f', call of 'read': the variable is not known"),
        ("@pointer", "'pointer' has bytes that are not known before a program runs"),
    ],
)
def test_what_cannot_be_split(variable: str, problem: str) -> None:
    with pytest.raises(IRError, match=problem):
        split(module(variable))


def test_a_module_without_reads_does_not_change() -> None:
    other = Module.parse(Context(), b"@x = constant i32 1\n", "m")
    before = str(other)
    split(other)
    assert str(other) == before


def test_names_of_variables() -> None:
    found = module("@known")
    split(found)
    assert found.function_attributes("described") == {"scalar.renamed.0": "0 4 i32 01000000"}

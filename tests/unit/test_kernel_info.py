"""Kernel descriptions are serialized as JSON, and validated when they are read."""

import json
from typing import Any

import pytest
from hypothesis import given, strategies as st

from dovetail.errors import FormatError
from dovetail.kernel_info import (
    ArgumentMember,
    Field,
    KernelInfo,
    Parameter,
    ParameterKind,
    from_json,
    to_json,
)

KERNEL = KernelInfo(
    symbol="__sycl_kernel_k",
    name="ns::k",
    signature="ns::k(float, S)",
    dimensions=2,
    parameters=(
        Parameter("a", "float", ParameterKind.SCALAR, 4, 4, "f4"),
        Parameter("p", "const double *", ParameterKind.POINTER, 8, 8, "f8", writable=False),
        Parameter(
            "s",
            "S",
            ParameterKind.OBJECT,
            16,
            4,
            fields=(Field("x", 0, "i4"), Field("y", 4, "f4", 3)),
            members=(ArgumentMember("local", 8, 8, "accessor"),),
        ),
    ),
    file="k.cpp",
    line=7,
)


def test_round_trip() -> None:
    assert from_json(KERNEL.symbol, to_json(KERNEL)) == KERNEL


def changed(**changes: Any) -> bytes:
    return json.dumps({**json.loads(to_json(KERNEL)), **changes}).encode()


def changed_parameter(**changes: Any) -> bytes:
    document = json.loads(to_json(KERNEL))
    document["parameters"][2].update(changes)
    return json.dumps(document).encode()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"null",
        b"{}",
        b"\xff",
        b"[" * 100_000,
        changed(dimensions=4),
        changed(dimensions=True),
        changed(dimensions="2"),
        changed(name=3),
        changed(surprise=1),
        changed(parameters=None),
        changed(parameters=[3]),
        changed_parameter(kind="reference"),
        changed_parameter(size=0),
        changed_parameter(size=1 << 40),
        changed_parameter(align=-1),
        changed_parameter(writable=1),
        changed_parameter(fields=[{"name": "x", "offset": 16, "encoding": "i4", "count": 1}]),
        changed_parameter(fields=[{"name": "x", "offset": -1, "encoding": "i4", "count": 1}]),
        changed_parameter(fields=[{"name": "x"}]),
        changed_parameter(members=[{"kind": "local", "offset": 99, "size": 8, "type": "t"}]),
    ],
)
def test_invalid_descriptions_are_rejected(data: bytes) -> None:
    with pytest.raises(FormatError, match="description of kernel 'k' is invalid"):
        from_json("k", data)


@given(st.binary())
def test_any_bytes_are_rejected(data: bytes) -> None:
    with pytest.raises(FormatError):
        from_json("k", data)

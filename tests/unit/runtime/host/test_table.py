"""The two sides of the table, held against each other: C++ in api.hpp and Python."""

import re
from collections.abc import Callable
from ctypes import (
    Structure,
    addressof,
    c_char_p,
    c_int,
    c_int64,
    c_size_t,
    c_uint32,
    c_uint64,
    c_void_p,
    sizeof,
)
from enum import IntEnum
from pathlib import Path
from threading import Thread
from typing import Any
from weakref import WeakSet

import pytest

from dovetail.runtime.host import structures
from dovetail.runtime.host.errc import HostError
from dovetail.runtime.host.functions import Functions
from dovetail.runtime.host.structures import (
    API_VERSION,
    Access,
    BufferAccess,
    ConstantValue,
    DeviceQuery,
    KernelLaunch,
    KernelName,
    KernelQuery,
    LibraryList,
    LibraryProgram,
    QueueFlag,
    RequirementsStruct,
    UsmKind,
)
from dovetail.runtime.host.table import SIGNATURES, ApiTable, make_table

HEADER = (Path(__file__).parents[4] / "include/sycl/detail/host/api.hpp").read_text()
CODE = re.sub(r"//.*", "", HEADER)

_TYPES: dict[str, Any] = {
    "int": c_int,
    "std::int64_t": c_int64,
    "handle": c_uint64,
    "std::size_t": c_size_t,
    "std::uint32_t": c_uint32,
    "std::uint64_t": c_uint64,
}


def _body(name: str) -> str:
    found = re.search(rf"\b{name}\b[^;{{]*\{{(.*?)\n\}};", CODE, re.DOTALL)
    assert found, name
    return found[1]


def _type(declaration: str) -> Any:
    """The ctypes type of a parameter or member, from its declaration with a name."""
    if "*" in declaration:
        return c_void_p
    return _TYPES[declaration.split()[0]]


def _functions() -> dict[str, tuple[Any, ...]]:
    found = re.findall(r"([\w:]+) \(\*(\w+)\)\(([^)]*)\);", _body("struct api_table"))
    return {
        name: (_TYPES[result], *(_type(parameter) for parameter in parameters.split(",")))
        for result, name, parameters in found
    }


def test_the_functions_are_the_same_in_the_same_order() -> None:
    functions = _functions()
    assert len(functions) > 20
    assert list(functions) == list(SIGNATURES)
    assert functions == SIGNATURES
    fields = ["size", "version", *functions, "libraries"]
    assert [name for name, *_ in ApiTable._fields_] == fields
    assert sizeof(ApiTable) == 8 + 8 * len(functions) + 8
    assert _body("struct api_table").endswith("library_list *libraries;")
    assert _constant("api_version") == API_VERSION


@pytest.mark.parametrize("name", SIGNATURES)
def test_every_function_is_there_with_as_many_parameters(name: str) -> None:
    code = getattr(Functions, name).__code__
    assert code.co_argcount == len(SIGNATURES[name])  # self, but no result


@pytest.mark.parametrize(
    ("name", "structure"),
    [
        ("buffer_access", BufferAccess),
        ("requirements", RequirementsStruct),
        ("kernel_launch", KernelLaunch),
        ("kernel_name", KernelName),
        ("constant_value", ConstantValue),
        ("library_program", LibraryProgram),
        ("library_list", LibraryList),
    ],
)
def test_the_structures_are_the_same(name: str, structure: type[Structure]) -> None:
    members: dict[str, Any] = {}
    for declaration in re.findall(r"(\S[^;]*);", _body(f"struct {name}")):
        found = re.fullmatch(r".*?(\w+)(?:\[(\d)\])?", declaration, re.DOTALL)
        assert found
        kind = c_char_p if declaration.startswith("const char *") else _type(declaration)
        members[found[1]] = kind * int(found[2]) if found[2] else kind
    assert [(field[0], field[1]) for field in structure._fields_] == list(members.items())


@pytest.mark.parametrize(
    ("prefix", "enum"), [("access", Access), ("queue", QueueFlag), ("usm", UsmKind)]
)
def test_the_constants_are_the_same(prefix: str, enum: type[IntEnum]) -> None:
    found = re.findall(rf"std::uint32_t {prefix}_(\w+) = (\d+);", CODE)
    assert {name.upper(): int(value) for name, value in found} == dict(enum.__members__)


def test_the_queries_are_the_same() -> None:
    found = re.findall(r"(\w+) = (\d+),", _body("enum class device_query"))
    assert {name.upper(): int(value) for name, value in found} == dict(DeviceQuery.__members__)
    found = re.findall(r"(\w+) = (\d+),", _body("enum class kernel_query"))
    assert {name.upper(): int(value) for name, value in found} == dict(KernelQuery.__members__)
    assert structures.MEMORY_KINDS.keys() == set(UsmKind) - {UsmKind.UNKNOWN}


def test_a_table_that_sleeps_lets_nobody_out() -> None:
    calls = list[str]()

    def function(name: str) -> Callable[..., int]:
        def call(*_: object) -> int:
            calls.append(name)
            return 0

        return call

    table = make_table(function, LibraryList())
    table.device_count(None)
    table.block_calls()
    thread = Thread(target=table.queue_wait, args=(0,), daemon=True)
    thread.start()
    thread.join(0.05)
    assert thread.is_alive()
    assert calls == ["device_count"]


def test_a_table_that_sleeps_keeps_the_functions_that_threads_may_be_in() -> None:
    functions = WeakSet[Callable[..., int]]()

    def function(_: str) -> Callable[..., int]:
        def call(*_: object) -> int:
            return 0

        functions.add(call)
        return call

    table = make_table(function, LibraryList())
    count = len(functions)
    table.block_calls()
    assert len(functions) == count > 0


def _constant(name: str) -> int:
    found = re.search(rf"{name} = (\d+);", CODE)
    assert found
    return int(found[1])


def test_a_null_array_with_elements_is_refused() -> None:
    functions = Functions([])
    symbols, constants = (c_char_p * 1)(b"k"), (c_uint64 * 1)(0)
    refused = "expected an array of 1 elements, got a null pointer"
    with pytest.raises(HostError, match=refused):
        functions.kernel_build(0, None, addressof(constants), 1)
    with pytest.raises(HostError, match=refused):
        functions.kernel_build(0, addressof(symbols), None, 1)


def test_an_empty_array_may_be_null() -> None:
    Functions([]).kernel_build(0, None, None, 0)
    Functions([]).kernel_list(None, 0, None)

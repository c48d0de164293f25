"""`atomic_ref` becomes SPIR-V's atomic instructions, with the scope and order asked for."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

HEADERS = """
#include <sycl/atomic_ref.hpp>
#include <sycl/external.hpp>
using sycl::memory_order;
using sycl::memory_scope;
using sycl::access::address_space;
template <typename T, memory_order Order = memory_order::relaxed,
          memory_scope Scope = memory_scope::device,
          address_space Space = address_space::global_space>
using reference = sycl::atomic_ref<T, Order, Scope, Space>;
"""

PROPERTIES = """
using relaxed = reference<int>;
static_assert(relaxed::default_read_order == memory_order::relaxed);
static_assert(relaxed::default_scope == memory_scope::device);
static_assert(relaxed::required_alignment == 4 && relaxed::is_always_lock_free);
using both = reference<double, memory_order::acq_rel>;
static_assert(both::default_read_order == memory_order::acquire);
static_assert(both::default_write_order == memory_order::release);
static_assert(both::default_read_modify_write_order == memory_order::acq_rel);
static_assert(std::is_same_v<both::value_type, double>);
static_assert(std::is_same_v<reference<int *>::difference_type, std::ptrdiff_t>);
static_assert(std::is_copy_constructible_v<relaxed> && !std::is_copy_assignable_v<relaxed>);
static_assert(!std::is_convertible_v<int &, relaxed> && std::is_convertible_v<relaxed, int>);
"""

# SPIR-V specification: the number of each scope, and of each order with local and global memory.
SCOPES = {"work_item": 4, "sub_group": 3, "work_group": 2, "device": 1, "system": 0}
ORDERS = {"relaxed": 0, "acquire": 0x302, "release": 0x304, "acq_rel": 0x308, "seq_cst": 0x310}

INSTRUCTIONS = {
    "int": "SMin SMax IAdd ISub And Or Xor Load Store Exchange CompareExchange",
    "unsigned": "UMin UMax IAdd ISub And Or Xor Load Store Exchange CompareExchange",
    "long": "SMin SMax IAdd ISub And Or Xor Load Store Exchange CompareExchange",
    "unsigned long long": "UMin UMax IAdd ISub And Or Xor Load Store Exchange CompareExchange",
}
CALLS = """
SYCL_EXTERNAL void f(T *p, T x) {
  reference<T> a(*p);
  a.fetch_min(x), a.fetch_max(x), a.fetch_add(x), a.fetch_sub(x);
  a.fetch_and(x), a.fetch_or(x), a.fetch_xor(x), a.exchange(x), a.compare_exchange_strong(x, x);
  a.store(a.load());
}
"""


def test_properties(check: Callable[..., None], side: tuple[str, ...]) -> None:
    check(HEADERS + PROPERTIES, "-std=c++17", *side)


@pytest.mark.parametrize("cpp", INSTRUCTIONS)
def test_instructions(spirv: Callable[..., str], cpp: str) -> None:
    module = spirv(HEADERS + f"using T = {cpp};" + CALLS)
    found = set(re.findall(r"OpAtomic(\w+)", module))
    assert found == set(INSTRUCTIONS[cpp].split())
    assert ("Int64Atomics" in module) == ("long" in cpp)
    assert " Import" not in module


def test_every_order_and_scope(spirv: Callable[..., str]) -> None:
    calls = [(order, scope) for order in ORDERS for scope in SCOPES]
    body = "\n".join(
        f"reference<int>(p[{i}]).fetch_add(1, memory_order::{order}, memory_scope::{scope});"
        for i, (order, scope) in enumerate(calls)
    )
    module = spirv(HEADERS + f"SYCL_EXTERNAL void f(int *p) {{ {body} }}")
    found = re.findall(r"OpAtomicIAdd %uint %\w+ (%\w+) (%\w+)", module)
    expected = [(SCOPES[scope], ORDERS[order]) for order, scope in calls]
    assert [(_value(module, s), _value(module, o)) for s, o in found] == expected


def test_a_failed_exchange_releases_nothing(spirv: Callable[..., str]) -> None:
    body = "".join(
        f"reference<int>(p[{i}]).compare_exchange_weak(x, 5, memory_order::{order});"
        for i, order in enumerate(ORDERS)
    )
    module = spirv(HEADERS + f"SYCL_EXTERNAL void f(int *p, int x) {{ {body} }}")
    found = re.findall(r"OpAtomicCompareExchange %uint %\w+ %\w+ (%\w+) (%\w+)", module)
    orders = [(_value(module, success), _value(module, failure)) for success, failure in found]
    assert orders == [(0, 0), (0x302, 0x302), (0x304, 0), (0x308, 0x302), (0x310, 0x310)]


def test_address_space_reaches_the_instruction(spirv: Callable[..., str]) -> None:
    spaces = {"global": "CrossWorkgroup", "local": "Workgroup", "generic": "Generic"}
    body = "".join(
        f"reference<int, memory_order::relaxed, memory_scope::device, "
        f"address_space::{space}_space>(*{space}) += 1;"
        for space in spaces
    )
    parameters = ", ".join(f"int *{space}" for space in spaces)
    module = spirv(HEADERS + f"SYCL_EXTERNAL void f({parameters}) {{ {body} }}")
    for pointer, storage in zip(
        re.findall(r"OpAtomicIAdd %uint (%\w+)", module), spaces.values(), strict=True
    ):
        assert re.search(rf"{pointer} = \w+ %_ptr_{storage}_", module)


def test_fence(spirv: Callable[..., str]) -> None:
    call = "sycl::atomic_fence(memory_order::acq_rel, memory_scope::work_group);"
    module = spirv(HEADERS + f"SYCL_EXTERNAL void f() {{ {call} }}")
    (operands,) = re.findall(r"OpMemoryBarrier (%\w+) (%\w+)", module)
    assert [_value(module, operand) for operand in operands] == [2, 0x308]


def test_only_eight_bytes_need_an_aspect(include: Path) -> None:
    headers = [*include.rglob("atomic*.hpp")]
    text = "".join(path.read_text() for path in headers)
    (marked,) = re.findall(r"class DOVETAIL_USES_ATOMIC64\s+(\w+<[^>]*>)", text)
    assert marked == "atomic_ref_sized<DataT, 8, DefaultOrder, DefaultScope, Space>"
    assert text.count("__uses_aspects__") == 1


@pytest.mark.parametrize(
    ("cpp", "message"),
    [
        ("reference<short>", "atomic_ref takes types of 4 and 8 bytes"),
        ("reference<Pair>", "atomic_ref takes numbers and pointers"),
        ("reference<int, memory_order::acquire>", "the default order of an atomic_ref is"),
    ],
)
def test_bad_arguments(check: Callable[..., None], cpp: str, message: str) -> None:
    source = f"struct Pair {{ int a; }}; auto size = sizeof({cpp});"
    with pytest.raises(AssertionError, match=message):
        check(HEADERS + source, "-std=c++17")


def _value(module: str, name: str) -> int:
    """The number that a constant of the module stands for."""
    found = re.search(rf"{name} = OpConstant(Null)? %uint ?(\d*)$", module, re.MULTILINE)
    assert found, name
    return int(found[2] or 0)

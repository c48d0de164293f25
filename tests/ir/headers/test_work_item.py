"""Work-items ask for the right built-in, in the device's order of dimensions."""

from __future__ import annotations

import re
from collections.abc import Callable

PRELUDE = """
#include <sycl/ext/oneapi/this_work_item.hpp>
#include <sycl/external.hpp>
#include <sycl/group_barrier.hpp>
namespace here = sycl::ext::oneapi::this_work_item;
"""

QUERIES = {
    "get_global_id": "GlobalInvocationId",
    "get_global_range": "GlobalSize",
    "get_local_id": "LocalInvocationId",
    "get_local_range": "WorkgroupSize",
    "get_group": "WorkgroupId",
    "get_group_range": "NumWorkgroups",
}

# SPIR-V: scopes device 1, work-group 2, sub-group 3; semantics acquire-release 0x8, local memory
# 0x100, global memory 0x200.
BARRIERS = {
    "sycl::group_barrier(here::get_work_group<2>())": (2, 2, 0x308),
    "sycl::group_barrier(here::get_work_group<1>(), sycl::memory_scope::device)": (2, 1, 0x308),
    "sycl::group_barrier(here::get_sub_group())": (3, 3, 0x308),
    "here::get_nd_item<1>().barrier()": (2, 2, 0x308),
    "here::get_nd_item<1>().barrier(sycl::access::fence_space::local_space)": (2, 2, 0x108),
    "here::get_nd_item<1>().barrier(sycl::access::fence_space::global_space)": (2, 2, 0x208),
}


def _calls(module: str) -> list[tuple[str, str]]:
    return re.findall(
        r"call spir_func .*@_Z\d+__spirv_BuiltIn(\w+?)[iv]\((?:i32 noundef )?(.*?)\)", module
    )


def test_dimensions_count_from_the_slowest(device_ir: Callable[..., str]) -> None:
    places = [(query, n, d) for query in QUERIES for n in (1, 2, 3) for d in range(n)]
    functions = [
        f"SYCL_EXTERNAL size_t {query}_{n}{d}()"
        f" {{ return here::get_nd_item<{n}>().{query}({d}); }}\n"
        for query, n, d in places
    ]
    expected = [(QUERIES[query], str(n - 1 - d)) for query, n, d in places]
    assert _calls(device_ir(PRELUDE + "".join(functions))) == expected


def test_dimension_may_be_a_variable(spirv: Callable[..., str]) -> None:
    module = spirv(
        PRELUDE
        + "SYCL_EXTERNAL size_t f(int d) { return here::get_nd_item<3>().get_global_id(d); }"
    )
    assert "OpVectorExtractDynamic" in module


def test_one_dimension_needs_no_index(device_ir: Callable[..., str]) -> None:
    module = device_ir(
        PRELUDE
        + "SYCL_EXTERNAL size_t f(int d) { return here::get_nd_item<1>().get_global_id(d); }"
    )
    assert _calls(module) == [("GlobalInvocationId", "0")]


def test_group_of_one_dimension(device_ir: Callable[..., str]) -> None:
    module = device_ir(
        PRELUDE
        + "SYCL_EXTERNAL size_t f() { auto g = here::get_work_group<1>();"
        + " return g.get_group_linear_id() + g.get_local_linear_id() * g.get_local_range(0); }"
    )
    assert _calls(module) == [
        ("WorkgroupId", "0"),
        ("LocalInvocationId", "0"),
        ("WorkgroupSize", "0"),
    ]


def test_sub_group(spirv: Callable[..., str]) -> None:
    module = spirv(
        PRELUDE
        + "SYCL_EXTERNAL unsigned f() { auto s = here::get_sub_group();"
        + " return s.get_local_linear_id() + s.get_local_linear_range()"
        + " + s.get_group_linear_id() + s.get_group_linear_range()"
        + " + static_cast<unsigned>(s.get_max_local_range()[0]); }"
    )
    builtins = set(re.findall(r"BuiltIn (\w+)", module))
    assert builtins == {
        "SubgroupLocalInvocationId",
        "SubgroupSize",
        "SubgroupId",
        "NumSubgroups",
        "SubgroupMaxSize",
    }


def test_barriers(device_ir: Callable[..., str]) -> None:
    statements = "".join(f"  {barrier};\n" for barrier in BARRIERS)
    module = device_ir(
        PRELUDE + f"SYCL_EXTERNAL void f() {{\n{statements}}}", "-Wno-deprecated-declarations"
    )
    found = re.findall(
        r"call .*ControlBarrieriii\(i32 noundef (\d+), i32 noundef (\d+), i32 noundef (\d+)\)",
        module,
    )
    assert [tuple(map(int, operands)) for operands in found] == list(BARRIERS.values())

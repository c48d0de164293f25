"""Local memory is asked for by one call per place, which a pass replaces later."""

from __future__ import annotations

from collections.abc import Callable

PRELUDE = """
#include <sycl/ext/oneapi/group_local_memory.hpp>
#include <sycl/ext/oneapi/this_work_item.hpp>
#include <sycl/external.hpp>
namespace ext = sycl::ext::oneapi;
"""

ALLOCATE = "call spir_func noundef ptr addrspace(3) @__sycl_allocateLocalMemory"


def test_each_place_has_its_own_call(device_ir: Callable[..., str]) -> None:
    module = device_ir(
        PRELUDE
        + "SYCL_EXTERNAL void f(float *p) {"
        + " auto g = ext::this_work_item::get_work_group<1>();"
        + " auto &a = *ext::group_local_memory_for_overwrite<float[64]>(g);"
        + " auto &b = *ext::group_local_memory_for_overwrite<float[64]>(g);"
        + " a[0] = p[0]; b[0] = p[1]; p[2] = a[1] + b[1]; }"
    )
    assert module.count(f"{ALLOCATE}(i64 noundef 256, i64 noundef 4)") == 2
    assert "ControlBarrier" not in module


def test_initialised_by_the_leader_before_the_barrier(device_ir: Callable[..., str]) -> None:
    module = device_ir(
        PRELUDE
        + "struct point { int x, y; };"
        + "SYCL_EXTERNAL int f() {"
        + " auto g = ext::this_work_item::get_work_group<1>();"
        + " auto p = ext::group_local_memory<point>(g, 3, 4);"
        + " return p->x + p->y; }"
    )
    assert module.count(f"{ALLOCATE}(i64 noundef 8, i64 noundef 4)") == 1
    leader = module.index("LocalInvocationId")
    stored = module.index("store i32 3")
    assert leader < stored < module.index("__spirv_ControlBarrier") < module.index("load i32")


def test_alignment_is_the_types(device_ir: Callable[..., str]) -> None:
    module = device_ir(
        PRELUDE
        + "struct alignas(32) wide { int x; };"
        + "SYCL_EXTERNAL int f() {"
        + " auto g = ext::this_work_item::get_work_group<1>();"
        + " return ext::group_local_memory_for_overwrite<wide>(g)->x; }"
    )
    assert f"{ALLOCATE}(i64 noundef 32, i64 noundef 32)" in module


def test_pointer_keeps_its_address_space(device_ir: Callable[..., str]) -> None:
    module = device_ir(
        PRELUDE
        + "using local = sycl::multi_ptr<int, sycl::access::address_space::local_space>;"
        + "SYCL_EXTERNAL int f(local p) { return *(p + 1).get() + p.get_decorated()[2]; }"
    )
    assert module.count("load i32, ptr addrspace(3)") == 2


def test_pointer_conversions(check: Callable[..., None], side: tuple[str, ...]) -> None:
    check(
        PRELUDE
        + """
using sycl::multi_ptr;
using sycl::access::address_space;
using sycl::access::decorated;
template <typename T, address_space S, decorated D = decorated::no> using ptr = multi_ptr<T, S, D>;
constexpr auto local = address_space::local_space;
constexpr auto global = address_space::global_space;
constexpr auto generic = address_space::generic_space;
template <typename From, typename To> constexpr bool converts = std::is_convertible_v<From, To>;
static_assert(converts<ptr<int, local>, ptr<const int, local>>);
static_assert(!converts<ptr<const int, local>, ptr<int, local>>);
static_assert(converts<ptr<int, local>, ptr<int, local, decorated::yes>>);
static_assert(converts<ptr<int, local, decorated::yes>, ptr<int, generic>>);
static_assert(!converts<ptr<int, local>, ptr<int, global>>);
static_assert(!converts<ptr<int, generic>, ptr<int, local>>);
static_assert(std::is_same_v<decltype(ptr<int, local>().get()), int *>);
static_assert(ptr<int, local>() == nullptr && !(nullptr != ptr<int, local>()));
""",
        "-std=c++17",
        *side,
    )

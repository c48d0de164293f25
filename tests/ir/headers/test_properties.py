"""Lists of properties and what takes them, in both published forms; and what a mistake is told."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

HERE = Path(__file__).parent

FORMS = ["properties.cpp", "first_design.cpp"]
PATHS = [
    "sycl/ext/oneapi/annotated_ptr/annotated_ptr.hpp",
    "sycl/ext/oneapi/experimental/annotated_ptr/annotated_ptr.hpp",
    "sycl/ext/oneapi/kernel_properties/properties.hpp",
    "sycl/ext/oneapi/properties/properties.hpp",
    "sycl/ext/oneapi/properties/property.hpp",
    "sycl/ext/oneapi/properties/property_value.hpp",
]


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("side", ["device", "host"])
def test_both_forms_compile(check_with_standard: Callable[..., None], name: str, side: str) -> None:
    check_with_standard((HERE / name).read_text(), side)


@pytest.mark.parametrize("name", FORMS)
def test_both_forms_compile_without_sycl(check: Callable[..., None], name: str) -> None:
    check((HERE / name).read_text(), "-std=c++17", "-Wno-unused")


@pytest.mark.parametrize("path", PATHS)
def test_headers_lie_where_others_have_them(include: Path, path: str) -> None:
    assert (include / path).is_file()


PRELUDE = """
#include <sycl/sycl.hpp>
namespace exp = sycl::ext::oneapi::experimental;
struct mine_key : exp::detail::compile_time_property_key<> {
  template <int N> using value_t = exp::property_value<mine_key, std::integral_constant<int, N>>;
};
template <int N> inline constexpr mine_key::value_t<N> mine;
struct later : exp::detail::run_time_property_key<later> {};
template <> struct exp::is_property_key_of<later, sycl::kernel> : std::true_type {};
struct both {
  auto get(exp::properties_tag) const { return exp::properties{exp::sub_group_size<8>}; }
  void operator()() const {}
};
struct gets_no_list {
  int get(exp::properties_tag) const { return 0; }
  void operator()() const {}
};
struct three : both {
  static constexpr exp::properties properties{exp::sub_group_size<8>};
};
"""

MISTAKES = {
    "exp::properties{mine<1>, 3};": "can hold nothing but properties",
    "exp::properties{mine<1>, exp::no_alias, mine<2>};": "can hold each property only once",
    "sycl::ext::oneapi::property_list{mine<1>, mine<2>};": "can hold each property only once",
    "exp::properties{mine<1>}.get_property<later>();": "does not have this property",
    "q.single_task(exp::properties{mine<1>}, [=] {});": "one of these properties is not for kernel",
    "q.single_task(exp::properties{exp::no_alias}, [=] {});": "one of these properties is not for",
    "q.single_task(exp::properties{later()}, [=] {});": "known when the program is compiled",
    "q.single_task(exp::properties{exp::device_has<>}, both());": "properties from one place",
    "q.single_task(three());": "a kernel has its properties from one place",
    "q.single_task(gets_no_list());": "returns a list of properties",
    "exp::properties{exp::work_group_size<1, 2, 3, 4>};": "SYCL has one to three dimensions",
    "exp::properties{exp::work_group_size<4, 0>};": "has a size in each dimension",
    "exp::properties{exp::sub_group_size<0>};": "a sub-group has a size",
    "exp::annotated_ptr a(p, exp::sub_group_size<8>);": "is not for annotated_ptr",
    "exp::annotated_ptr a(p, exp::alignment<3>);": "an alignment is a power of two",
    "exp::annotated_ptr a(p, exp::alignment<4>); a[1] = 1;": "the next would not be aligned",
    "exp::annotated_ptr a(p, exp::alignment<4>); ++a;": "the next would not be aligned",
    "exp::annotated_ptr a(p, exp::no_alias); exp::annotated_ptr<int> c(a);": "lacks one of the",
    "exp::annotated_ptr<int> c(p, exp::no_alias);": "lacks one of these properties",
    "exp::annotated_ptr<int, int> a;": "are a list of properties",
    "sycl::accessor a(b, exp::properties{exp::sub_group_size<8>});": "is not for accessors",
}


@pytest.mark.parametrize(("statement", "message"), MISTAKES.items())
def test_mistakes_are_explained(errors: Callable[..., str], statement: str, message: str) -> None:
    function = f"void f(sycl::queue q, int *p, sycl::buffer<int> b) {{ {statement} }}\n"
    told = errors(PRELUDE + function)
    assert message in re.findall(r"error: (.*)", told)[0]

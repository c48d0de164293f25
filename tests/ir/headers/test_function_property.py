"""The property macro hands name and value to the front-end and knows no property itself."""

from __future__ import annotations

from collections.abc import Callable

DEVICE = ("-fsycl", "-fsycl-device-only", "-std=c++17")

KERNEL = """
#include <sycl/ext/oneapi/experimental/function_property.hpp>
#include <sycl/ext/oneapi/experimental/nd_range_kernel.hpp>
#include <sycl/ext/oneapi/experimental/single_task_kernel.hpp>
namespace exp = sycl::ext::oneapi::experimental;
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((exp::nd_range_kernel<2>)) void k(int *p) { p[0] = 1; }
"""

TEXT = """
constexpr bool same(const char *left, const char *right) {
  for (; *left == *right; ++left, ++right)
    if (!*left)
      return true;
  return false;
}
template <typename T> using info = exp::detail::PropertyMetaInfo<std::decay_t<T>>;
static_assert(same(info<decltype(exp::nd_range_kernel<3>)>::name, "sycl-nd-range-kernel"));
static_assert(info<decltype(exp::nd_range_kernel<3>)>::value == 3);
static_assert(same(info<decltype(exp::single_task_kernel)>::name, "sycl-single-task-kernel"));
static_assert(info<decltype(exp::single_task_kernel)>::value == 0);
static_assert(exp::nd_range_kernel_key::value_t<2>::value == 2);
"""

OWN_PROPERTY = """
struct colour_key {};
inline constexpr exp::property_value<colour_key> colour;
template <> struct exp::detail::PropertyMetaInfo<exp::property_value<colour_key>> {
  static constexpr const char *name = "my-colour";
  static constexpr const char *value = "blue";
};
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((colour)) void painted();
static_assert(same(exp::detail::function_property<decltype((colour))>::value, "blue"));
"""


def test_device_sees_one_generic_attribute(preprocess: Callable[..., str]) -> None:
    line = preprocess(KERNEL, *DEVICE).splitlines()[-1]
    trait = (
        "::sycl::ext::oneapi::experimental::detail::"
        "function_property<decltype((exp::nd_range_kernel<2>))>"
    )
    attribute = f"__add_ir_attributes_function__( {trait}::name, {trait}::value)"
    assert line == f"[[__sycl_detail__::{attribute}]] void k(int *p) {{ p[0] = 1; }}"


def test_host_sees_nothing(preprocess: Callable[..., str]) -> None:
    line = preprocess(KERNEL, "-std=c++17").splitlines()[-1]
    assert line.strip() == "void k(int *p) { p[0] = 1; }"


def test_names_and_values_also_of_a_users_property(check: Callable[..., None]) -> None:
    check(KERNEL + TEXT + OWN_PROPERTY, *DEVICE)
    check(KERNEL + TEXT + OWN_PROPERTY, "-std=c++20")


def test_half_declares_its_aspect(preprocess: Callable[..., str]) -> None:
    text = preprocess("#include <sycl/half.hpp>\n", *DEVICE)
    assert "class [[__sycl_detail__::__uses_aspects__(::sycl::aspect::fp16)]] half" in text


def test_half_gives_no_warning_without_the_plugin(check: Callable[..., None]) -> None:
    check("#include <sycl/half.hpp>\n", *DEVICE, "-Wunknown-attributes")

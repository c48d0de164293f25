// SYCL's functions on groups of numbers: vectors, elements of vectors, arrays for mathematics. Each
// element by itself, through the function on scalars; the optimiser joins what it can.
//
// Where a group stands, a scalar may stand for each of its elements, but not for the first
// argument.
#pragma once

#include <cstddef>
#include <sycl/builtins/common_functions.hpp>
#include <sycl/builtins/half_precision_functions.hpp>
#include <sycl/builtins/integer_functions.hpp>
#include <sycl/builtins/math_functions.hpp>
#include <sycl/builtins/native_functions.hpp>
#include <sycl/builtins/relational_functions.hpp>
#include <sycl/detail/vec_traits.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {
namespace detail {

template <typename V> using group_t = typename number_group<V>::type;
template <typename V> using element_t = typename number_group<V>::element;
template <typename V> using group_truth_t = typename number_group<V>::truth;
template <typename V> inline constexpr int group_size = static_cast<int>(number_group<V>::size);

template <typename V, bool = is_number_group<V>> inline constexpr bool is_floating_group = false;
template <typename V> inline constexpr bool is_floating_group<V, true> = is_floating<element_t<V>>;

template <typename V, bool = is_number_group<V>> inline constexpr bool is_float_group = false;
template <typename V>
inline constexpr bool is_float_group<V, true> = std::is_same_v<element_t<V>, float>;

// Whether an argument goes with a group: one of the same kind, or a scalar for all elements.
template <typename V, typename Other, bool = is_number_group<Other>>
inline constexpr bool goes_with = std::is_convertible_v<Other, element_t<V>>;
template <typename V, typename Other>
inline constexpr bool goes_with<V, Other, true> = std::is_same_v<group_t<V>, group_t<Other>>;

template <typename V> using if_group = std::enable_if_t<is_number_group<V>, int>;
template <typename V> using if_floating_group = std::enable_if_t<is_floating_group<V>, int>;
template <typename V> using if_float_group = std::enable_if_t<is_float_group<V>, int>;
template <typename V>
using if_integer_group = std::enable_if_t<is_number_group<V> && !is_floating_group<V>, int>;

template <typename Element, typename Argument>
constexpr Element element_of(const Argument &argument, [[maybe_unused]] int index) {
  if constexpr (is_number_group<Argument>)
    return argument[index];
  else
    return static_cast<Element>(argument);
}

// An element of a truth value: in a vector true has its highest bit set.
constexpr bool is_true(bool x) { return x; }
template <typename T> constexpr bool is_true(T x) { return static_cast<truth_t<T>>(x) < 0; }

} // namespace detail

#define DOVETAIL_GROUP_1(NAME, SCALAR, CONDITION)                                                  \
  template <typename V, detail::CONDITION<V> = 0> detail::group_t<V> NAME(const V &x) {            \
    detail::group_t<V> result{};                                                                   \
    for (int i = 0; i < detail::group_size<V>; ++i)                                                \
      result[i] = SCALAR(x[i]);                                                                    \
    return result;                                                                                 \
  }
#define DOVETAIL_GROUP_2(NAME, SCALAR, CONDITION)                                                  \
  template <typename V, typename W, detail::CONDITION<V> = 0,                                      \
            std::enable_if_t<detail::goes_with<V, W>, int> = 0>                                    \
  detail::group_t<V> NAME(const V &x, const W &y) {                                                \
    using T = detail::element_t<V>;                                                                \
    detail::group_t<V> result{};                                                                   \
    for (int i = 0; i < detail::group_size<V>; ++i)                                                \
      result[i] = SCALAR(T(x[i]), detail::element_of<T>(y, i));                                    \
    return result;                                                                                 \
  }
#define DOVETAIL_GROUP_3(NAME, SCALAR, CONDITION)                                                  \
  template <typename V, typename W, typename X, detail::CONDITION<V> = 0,                          \
            std::enable_if_t<detail::goes_with<V, W> && detail::goes_with<V, X>, int> = 0>         \
  detail::group_t<V> NAME(const V &x, const W &y, const X &z) {                                    \
    using T = detail::element_t<V>;                                                                \
    detail::group_t<V> result{};                                                                   \
    for (int i = 0; i < detail::group_size<V>; ++i)                                                \
      result[i] = SCALAR(T(x[i]), detail::element_of<T>(y, i), detail::element_of<T>(z, i));       \
    return result;                                                                                 \
  }

#define DOVETAIL_UNARY(NAME) DOVETAIL_GROUP_1(NAME, sycl::NAME, if_floating_group)
#define DOVETAIL_BINARY(NAME) DOVETAIL_GROUP_2(NAME, sycl::NAME, if_floating_group)
#define DOVETAIL_TERNARY(NAME) DOVETAIL_GROUP_3(NAME, sycl::NAME, if_floating_group)
#define DOVETAIL_INTEGER(NAME)                                                                     \
  template <typename V, typename N, detail::if_floating_group<V> = 0>                              \
  detail::group_t<V> NAME(const V &x, const N &n) {                                                \
    detail::group_t<V> result{};                                                                   \
    for (int i = 0; i < detail::group_size<V>; ++i)                                                \
      result[i] = sycl::NAME(x[i], detail::element_of<int>(n, i));                                 \
    return result;                                                                                 \
  }
#define DOVETAIL_UNARY_CL(NAME) DOVETAIL_UNARY(NAME)
#define DOVETAIL_BINARY_CL(NAME) DOVETAIL_BINARY(NAME)
#define DOVETAIL_TERNARY_CL(NAME) DOVETAIL_TERNARY(NAME)
#define DOVETAIL_INTEGER_CL(NAME) DOVETAIL_INTEGER(NAME)
#include <sycl/detail/math_functions.inc>

DOVETAIL_GROUP_1(abs, sycl::abs, if_integer_group)
DOVETAIL_GROUP_2(min, sycl::min, if_group)
DOVETAIL_GROUP_2(max, sycl::max, if_group)
DOVETAIL_GROUP_3(clamp, sycl::clamp, if_group)

namespace native {
#define DOVETAIL_UNARY(NAME) DOVETAIL_GROUP_1(NAME, sycl::native::NAME, if_float_group)
#define DOVETAIL_BINARY(NAME) DOVETAIL_GROUP_2(NAME, sycl::native::NAME, if_float_group)
#include <sycl/detail/fast_math_functions.inc>
} // namespace native

namespace half_precision {
#define DOVETAIL_UNARY(NAME) DOVETAIL_GROUP_1(NAME, sycl::half_precision::NAME, if_float_group)
#define DOVETAIL_BINARY(NAME) DOVETAIL_GROUP_2(NAME, sycl::half_precision::NAME, if_float_group)
#include <sycl/detail/fast_math_functions.inc>
} // namespace half_precision

// The two that take scalars first.
template <typename V, detail::if_floating_group<V> = 0>
detail::group_t<V> step(detail::element_t<V> edge, const V &x) {
  return sycl::step(detail::group_t<V>(edge), x);
}
template <typename V, detail::if_floating_group<V> = 0>
detail::group_t<V> smoothstep(detail::element_t<V> edge0, detail::element_t<V> edge1, const V &x) {
  return sycl::smoothstep(detail::group_t<V>(edge0), edge1, x);
}

#define DOVETAIL_RELATIONAL(NAME)                                                                  \
  template <typename V, detail::if_floating_group<V> = 0>                                          \
  detail::group_truth_t<V> NAME(const V &x) {                                                      \
    detail::group_truth_t<V> result{};                                                             \
    for (int i = 0; i < detail::group_size<V>; ++i)                                                \
      result[i] = sycl::NAME(x[i]) ? -1 : 0;                                                       \
    return result;                                                                                 \
  }
DOVETAIL_RELATIONAL(isfinite)
DOVETAIL_RELATIONAL(isinf)
DOVETAIL_RELATIONAL(isnan)
DOVETAIL_RELATIONAL(isnormal)
DOVETAIL_RELATIONAL(signbit)
#undef DOVETAIL_RELATIONAL
#undef DOVETAIL_GROUP_1
#undef DOVETAIL_GROUP_2
#undef DOVETAIL_GROUP_3

template <typename V, detail::if_integer_group<V> = 0> int any(const V &x) {
  for (int i = 0; i < detail::group_size<V>; ++i)
    if (detail::is_true(x[i]))
      return 1;
  return 0;
}

template <typename V, detail::if_integer_group<V> = 0> int all(const V &x) {
  for (int i = 0; i < detail::group_size<V>; ++i)
    if (!detail::is_true(x[i]))
      return 0;
  return 1;
}

// Of two values the second where the condition holds, else the first.
template <typename T, std::enable_if_t<detail::is_vec_element<T>, int> = 0>
constexpr T select(T no, T yes, bool condition) {
  return condition ? yes : no;
}

template <typename V, typename W, typename C, detail::if_group<V> = 0,
          detail::if_integer_group<C> = 0, std::enable_if_t<detail::goes_with<V, W>, int> = 0>
detail::group_t<V> select(const V &no, const W &yes, const C &condition) {
  static_assert(detail::group_size<V> == detail::group_size<C>, "sizes differ");
  using T = detail::element_t<V>;
  detail::group_t<V> result{};
  for (int i = 0; i < detail::group_size<V>; ++i)
    result[i] = detail::is_true(condition[i]) ? detail::element_of<T>(yes, i) : T(no[i]);
  return result;
}

template <typename V, typename W, detail::if_floating_group<V> = 0,
          detail::if_floating_group<W> = 0, std::enable_if_t<detail::goes_with<V, W>, int> = 0>
detail::element_t<V> dot(const V &x, const W &y) {
  auto sum = x[0] * y[0];
  for (int i = 1; i < detail::group_size<V>; ++i)
    sum += x[i] * y[i];
  return sum;
}

template <typename V, detail::if_floating_group<V> = 0> detail::element_t<V> length(const V &x) {
  return sycl::sqrt(sycl::dot(x, x));
}

template <typename V, typename W, detail::if_floating_group<V> = 0,
          std::enable_if_t<detail::goes_with<V, W>, int> = 0>
detail::element_t<V> distance(const V &x, const W &y) {
  return sycl::length(x - y);
}

template <typename V, detail::if_floating_group<V> = 0> detail::group_t<V> normalize(const V &x) {
  detail::element_t<V> size = sycl::length(x);
  return size == detail::element_t<V>(0) ? detail::group_t<V>(x) : x / size;
}

// Of three elements; a fourth is 0.
template <typename V, typename W, detail::if_floating_group<V> = 0,
          std::enable_if_t<detail::goes_with<V, W>, int> = 0>
detail::group_t<V> cross(const V &x, const W &y) {
  static_assert(detail::group_size<V> == 3 || detail::group_size<V> == 4,
                "the cross product is one of three elements");
  detail::group_t<V> result{};
  result[0] = x[1] * y[2] - x[2] * y[1];
  result[1] = x[2] * y[0] - x[0] * y[2];
  result[2] = x[0] * y[1] - x[1] * y[0];
  return result;
}

} // namespace _V1
} // namespace sycl

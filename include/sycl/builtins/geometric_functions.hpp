// SYCL's geometric functions, on scalars, vectors, swizzles and marrays.
#pragma once

#include <sycl/builtins/half_precision_functions.hpp>
#include <sycl/builtins/math_functions.hpp>
#include <sycl/builtins/vec_functions.hpp>
#include <sycl/detail/vec_traits.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {
namespace detail {

// Two points or directions of the same space.
template <typename VecT, typename SecondT,
          bool = is_floating_group<VecT> && is_number_group<SecondT>>
inline constexpr bool is_same_space = false;
template <typename VecT, typename SecondT>
inline constexpr bool is_same_space<VecT, SecondT, true> = goes_with<VecT, SecondT>;
template <typename VecT, typename SecondT>
using if_same_space = std::enable_if_t<is_same_space<VecT, SecondT>, int>;

} // namespace detail

template <typename DataT, detail::if_math_type<DataT> = 0> DataT dot(DataT x, DataT y) {
  return x * y;
}
template <typename VecT, typename SecondT, detail::if_same_space<VecT, SecondT> = 0>
detail::element_t<VecT> dot(const VecT &x, const SecondT &y) {
  auto sum = x[0] * y[0];
  for (int i = 1; i < detail::group_size<VecT>; ++i)
    sum += x[i] * y[i];
  return sum;
}

template <typename DataT, detail::if_math_type<DataT> = 0> DataT length(DataT x) {
  return sycl::fabs(x);
}
template <typename VecT, detail::if_floating_group<VecT> = 0>
detail::element_t<VecT> length(const VecT &x) {
  return sycl::sqrt(sycl::dot(x, x));
}

template <typename DataT, detail::if_math_type<DataT> = 0> DataT distance(DataT x, DataT y) {
  return sycl::fabs(static_cast<DataT>(x - y));
}
template <typename VecT, typename SecondT, detail::if_same_space<VecT, SecondT> = 0>
detail::element_t<VecT> distance(const VecT &x, const SecondT &y) {
  return sycl::length(x - y);
}

template <typename DataT, detail::if_math_type<DataT> = 0> DataT normalize(DataT x) {
  return sycl::sign(x);
}
template <typename VecT, detail::if_floating_group<VecT> = 0>
detail::group_t<VecT> normalize(const VecT &x) {
  detail::element_t<VecT> size = sycl::length(x);
  return size == detail::element_t<VecT>(0) ? detail::group_t<VecT>(x) : x / size;
}

// Of three elements; a fourth is 0.
template <typename VecT, typename SecondT, detail::if_same_space<VecT, SecondT> = 0>
detail::group_t<VecT> cross(const VecT &x, const SecondT &y) {
  static_assert(detail::group_size<VecT> == 3 || detail::group_size<VecT> == 4,
                "the cross product is one of three elements");
  detail::group_t<VecT> result{};
  result[0] = x[1] * y[2] - x[2] * y[1];
  result[1] = x[2] * y[0] - x[0] * y[2];
  result[2] = x[0] * y[1] - x[1] * y[0];
  return result;
}

// The same with no more than half-precision accuracy, for float.
inline float fast_length(float x) { return sycl::fabs(x); }
template <typename VecT, detail::if_float_group<VecT> = 0> float fast_length(const VecT &x) {
  return sycl::half_precision::sqrt(sycl::dot(x, x));
}

inline float fast_distance(float x, float y) { return sycl::fabs(x - y); }
template <typename VecT, typename SecondT, detail::if_float_group<VecT> = 0,
          detail::if_same_space<VecT, SecondT> = 0>
float fast_distance(const VecT &x, const SecondT &y) {
  return sycl::fast_length(x - y);
}

inline float fast_normalize(float x) { return sycl::sign(x); }
template <typename VecT, detail::if_float_group<VecT> = 0>
detail::group_t<VecT> fast_normalize(const VecT &x) {
  float square = sycl::dot(x, x);
  return square == 0.0f ? detail::group_t<VecT>(x) : x * sycl::half_precision::rsqrt(square);
}

} // namespace _V1
} // namespace sycl

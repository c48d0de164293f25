// SYCL's functions on vectors, swizzles and marrays: the scalar function for each element; the
// optimizer forms vector instructions.
//
// All arguments except the first may be scalars, which are used for each element.
#pragma once

#include <cstddef>
#include <sycl/builtins/common_functions.hpp>
#include <sycl/builtins/derived_functions.hpp>
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

template <typename VecT> using group_t = typename number_group<VecT>::type;
template <typename VecT> using element_t = typename number_group<VecT>::element;
template <typename VecT> using group_truth_t = typename number_group<VecT>::truth;
template <typename VecT>
inline constexpr int group_size = static_cast<int>(number_group<VecT>::size);

template <typename VecT, bool = is_number_group<VecT>>
inline constexpr bool is_floating_group = false;
template <typename VecT>
inline constexpr bool is_floating_group<VecT, true> = is_math_type<element_t<VecT>>;

template <typename VecT, bool = is_number_group<VecT>> inline constexpr bool is_float_group = false;
template <typename VecT>
inline constexpr bool is_float_group<VecT, true> = std::is_same_v<element_t<VecT>, float>;

// Whether an argument matches a group: one of the same type, or a scalar for all elements.
template <typename VecT, typename Other, bool = is_number_group<Other>>
inline constexpr bool goes_with = std::is_convertible_v<Other, element_t<VecT>>;
template <typename VecT, typename Other>
inline constexpr bool goes_with<VecT, Other, true> = std::is_same_v<group_t<VecT>, group_t<Other>>;

template <typename VecT> using if_group = std::enable_if_t<is_number_group<VecT>, int>;
// The group of other elements that goes with a group.
template <typename VecT, typename Other>
using group_with = typename number_group<VecT>::template with<Other>;

template <typename VecT> using if_floating_group = std::enable_if_t<is_floating_group<VecT>, int>;
template <typename VecT> using if_float_group = std::enable_if_t<is_float_group<VecT>, int>;
template <typename VecT, bool = is_number_group<VecT>>
inline constexpr bool is_integer_group = false;
template <typename VecT>
inline constexpr bool is_integer_group<VecT, true> = !is_floating<element_t<VecT>>;
template <typename VecT> using if_integer_group = std::enable_if_t<is_integer_group<VecT>, int>;

template <typename Element, typename Argument>
constexpr Element element_of(const Argument &argument, [[maybe_unused]] int index) {
  if constexpr (is_number_group<Argument>)
    return argument[index];
  else
    return static_cast<Element>(argument);
}

// Whether an element is true: in a vector, the highest bit of a true element is set.
constexpr bool is_true(bool x) { return x; }
template <typename DataT> constexpr bool is_true(DataT x) {
  return static_cast<truth_t<DataT>>(x) < 0;
}

} // namespace detail

#define DOVETAIL_GROUP_1(NAME, SCALAR, CONDITION)                                                  \
  template <typename VecT, detail::CONDITION<VecT> = 0>                                            \
  detail::group_t<VecT> NAME(const VecT &x) {                                                      \
    detail::group_t<VecT> result{};                                                                \
    for (int i = 0; i < detail::group_size<VecT>; ++i)                                             \
      result[i] = SCALAR(x[i]);                                                                    \
    return result;                                                                                 \
  }
#define DOVETAIL_GROUP_2(NAME, SCALAR, CONDITION)                                                  \
  template <typename VecT, typename SecondT, detail::CONDITION<VecT> = 0,                          \
            std::enable_if_t<detail::goes_with<VecT, SecondT>, int> = 0>                           \
  detail::group_t<VecT> NAME(const VecT &x, const SecondT &y) {                                    \
    using DataT = detail::element_t<VecT>;                                                         \
    detail::group_t<VecT> result{};                                                                \
    for (int i = 0; i < detail::group_size<VecT>; ++i)                                             \
      result[i] = SCALAR(DataT(x[i]), detail::element_of<DataT>(y, i));                            \
    return result;                                                                                 \
  }
#define DOVETAIL_GROUP_3(NAME, SCALAR, CONDITION)                                                  \
  template <typename VecT, typename SecondT, typename ThirdT, detail::CONDITION<VecT> = 0,         \
            std::enable_if_t<detail::goes_with<VecT, SecondT> && detail::goes_with<VecT, ThirdT>,  \
                             int> = 0>                                                             \
  detail::group_t<VecT> NAME(const VecT &x, const SecondT &y, const ThirdT &z) {                   \
    using DataT = detail::element_t<VecT>;                                                         \
    detail::group_t<VecT> result{};                                                                \
    for (int i = 0; i < detail::group_size<VecT>; ++i)                                             \
      result[i] =                                                                                  \
          SCALAR(DataT(x[i]), detail::element_of<DataT>(y, i), detail::element_of<DataT>(z, i));   \
    return result;                                                                                 \
  }

#define DOVETAIL_UNARY(NAME) DOVETAIL_GROUP_1(NAME, sycl::NAME, if_floating_group)
#define DOVETAIL_BINARY(NAME) DOVETAIL_GROUP_2(NAME, sycl::NAME, if_floating_group)
#define DOVETAIL_TERNARY(NAME) DOVETAIL_GROUP_3(NAME, sycl::NAME, if_floating_group)
#define DOVETAIL_INTEGER(NAME)                                                                     \
  template <typename VecT, typename NumElements, detail::if_floating_group<VecT> = 0>              \
  detail::group_t<VecT> NAME(const VecT &x, const NumElements &n) {                                \
    detail::group_t<VecT> result{};                                                                \
    for (int i = 0; i < detail::group_size<VecT>; ++i)                                             \
      result[i] = sycl::NAME(x[i], detail::element_of<int>(n, i));                                 \
    return result;                                                                                 \
  }
#define DOVETAIL_UNARY_CL(NAME) DOVETAIL_UNARY(NAME)
#define DOVETAIL_BINARY_CL(NAME) DOVETAIL_BINARY(NAME)
#define DOVETAIL_TERNARY_CL(NAME) DOVETAIL_TERNARY(NAME)
#define DOVETAIL_INTEGER_CL(NAME) DOVETAIL_INTEGER(NAME)
#include <sycl/detail/math_functions.inc>

DOVETAIL_GROUP_1(acospi, sycl::acospi, if_floating_group)
DOVETAIL_GROUP_1(asinpi, sycl::asinpi, if_floating_group)
DOVETAIL_GROUP_1(atanpi, sycl::atanpi, if_floating_group)
DOVETAIL_GROUP_1(cospi, sycl::cospi, if_floating_group)
DOVETAIL_GROUP_1(sinpi, sycl::sinpi, if_floating_group)
DOVETAIL_GROUP_1(tanpi, sycl::tanpi, if_floating_group)
DOVETAIL_GROUP_2(atan2pi, sycl::atan2pi, if_floating_group)
DOVETAIL_GROUP_2(maxmag, sycl::maxmag, if_floating_group)
DOVETAIL_GROUP_2(minmag, sycl::minmag, if_floating_group)
DOVETAIL_GROUP_2(nextafter, sycl::nextafter, if_floating_group)

template <typename VecT, typename CountT, detail::if_floating_group<VecT> = 0>
detail::group_t<VecT> rootn(const VecT &x, const CountT &n) {
  detail::group_t<VecT> result{};
  for (int i = 0; i < detail::group_size<VecT>; ++i)
    result[i] = sycl::rootn(detail::element_t<VecT>(x[i]), detail::element_of<int>(n, i));
  return result;
}
template <typename VecT, detail::if_floating_group<VecT> = 0>
detail::group_with<VecT, int> ilogb(const VecT &x) {
  detail::group_with<VecT, int> result{};
  for (int i = 0; i < detail::group_size<VecT>; ++i)
    result[i] = sycl::ilogb(detail::element_t<VecT>(x[i]));
  return result;
}

template <typename VecT, detail::if_integer_group<VecT> = 0,
          typename ResultT = decltype(sycl::nan(detail::element_t<VecT>{}))>
detail::group_with<VecT, ResultT> nan(const VecT &code) {
  detail::group_with<VecT, ResultT> result{};
  for (int i = 0; i < detail::group_size<VecT>; ++i)
    result[i] = sycl::nan(detail::element_t<VecT>(code[i]));
  return result;
}

// Functions whose second result is stored where an argument points to, a group of type SECOND.
#define DOVETAIL_TWO_RESULTS(NAME, SECOND)                                                         \
  template <typename VecT, typename Pointer, detail::if_floating_group<VecT> = 0,                  \
            detail::if_points_to<Pointer, detail::group_with<VecT, SECOND>> = 0>                   \
  detail::group_t<VecT> NAME(const VecT &x, Pointer other) {                                       \
    detail::group_t<VecT> result{};                                                                \
    for (int i = 0; i < detail::group_size<VecT>; ++i) {                                           \
      SECOND second;                                                                               \
      result[i] = sycl::NAME(detail::element_t<VecT>(x[i]), &second);                              \
      (*other)[i] = second;                                                                        \
    }                                                                                              \
    return result;                                                                                 \
  }
DOVETAIL_TWO_RESULTS(sincos, detail::element_t<VecT>)
DOVETAIL_TWO_RESULTS(modf, detail::element_t<VecT>)
DOVETAIL_TWO_RESULTS(fract, detail::element_t<VecT>)
DOVETAIL_TWO_RESULTS(frexp, int)
DOVETAIL_TWO_RESULTS(lgamma_r, int)
#undef DOVETAIL_TWO_RESULTS

template <typename VecT, typename SecondT, typename Pointer, detail::if_floating_group<VecT> = 0,
          std::enable_if_t<detail::goes_with<VecT, SecondT>, int> = 0,
          detail::if_points_to<Pointer, detail::group_with<VecT, int>> = 0>
detail::group_t<VecT> remquo(const VecT &x, const SecondT &y, Pointer quotient) {
  using DataT = detail::element_t<VecT>;
  detail::group_t<VecT> result{};
  for (int i = 0; i < detail::group_size<VecT>; ++i) {
    int low_bits = 0;
    result[i] = sycl::remquo(DataT(x[i]), detail::element_of<DataT>(y, i), &low_bits);
    (*quotient)[i] = low_bits;
  }
  return result;
}

DOVETAIL_GROUP_1(abs, sycl::abs, if_integer_group)
DOVETAIL_GROUP_1(popcount, sycl::popcount, if_integer_group)
DOVETAIL_GROUP_1(clz, sycl::clz, if_integer_group)
DOVETAIL_GROUP_1(ctz, sycl::ctz, if_integer_group)
DOVETAIL_GROUP_2(abs_diff, sycl::abs_diff, if_integer_group)
DOVETAIL_GROUP_2(add_sat, sycl::add_sat, if_integer_group)
DOVETAIL_GROUP_2(sub_sat, sycl::sub_sat, if_integer_group)
DOVETAIL_GROUP_2(hadd, sycl::hadd, if_integer_group)
DOVETAIL_GROUP_2(rhadd, sycl::rhadd, if_integer_group)
DOVETAIL_GROUP_2(rotate, sycl::rotate, if_integer_group)
DOVETAIL_GROUP_2(mul_hi, sycl::mul_hi, if_integer_group)
DOVETAIL_GROUP_2(mul24, sycl::mul24, if_integer_group)
DOVETAIL_GROUP_3(mad_hi, sycl::mad_hi, if_integer_group)
DOVETAIL_GROUP_3(mad_sat, sycl::mad_sat, if_integer_group)
DOVETAIL_GROUP_3(mad24, sycl::mad24, if_integer_group)
template <typename VecT, typename SecondT, detail::if_integer_group<VecT> = 0,
          typename ResultT = typename detail::wider_integer<detail::element_t<VecT>>::type,
          std::enable_if_t<std::is_same_v<detail::element_t<SecondT>,
                                          std::make_unsigned_t<detail::element_t<VecT>>> &&
                               detail::group_size<VecT> == detail::group_size<SecondT>,
                           int> = 0>
detail::group_with<VecT, ResultT> upsample(const VecT &high, const SecondT &low) {
  detail::group_with<VecT, ResultT> result{};
  for (int i = 0; i < detail::group_size<VecT>; ++i)
    result[i] =
        sycl::upsample(detail::element_t<VecT>(high[i]), detail::element_t<SecondT>(low[i]));
  return result;
}
DOVETAIL_GROUP_3(bitselect, sycl::bitselect, if_group)
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
template <typename VecT, detail::if_floating_group<VecT> = 0>
detail::group_t<VecT> step(detail::element_t<VecT> edge, const VecT &x) {
  return sycl::step(detail::group_t<VecT>(edge), x);
}
template <typename VecT, detail::if_floating_group<VecT> = 0>
detail::group_t<VecT> smoothstep(detail::element_t<VecT> edge0, detail::element_t<VecT> edge1,
                                 const VecT &x) {
  return sycl::smoothstep(detail::group_t<VecT>(edge0), edge1, x);
}

#define DOVETAIL_RELATIONAL(NAME)                                                                  \
  template <typename VecT, detail::if_floating_group<VecT> = 0>                                    \
  detail::group_truth_t<VecT> NAME(const VecT &x) {                                                \
    detail::group_truth_t<VecT> result{};                                                          \
    for (int i = 0; i < detail::group_size<VecT>; ++i)                                             \
      result[i] = sycl::NAME(x[i]) ? -1 : 0;                                                       \
    return result;                                                                                 \
  }
DOVETAIL_RELATIONAL(isfinite)
DOVETAIL_RELATIONAL(isinf)
DOVETAIL_RELATIONAL(isnan)
DOVETAIL_RELATIONAL(isnormal)
DOVETAIL_RELATIONAL(signbit)
#undef DOVETAIL_RELATIONAL

#define DOVETAIL_COMPARISON(NAME)                                                                  \
  template <typename VecT, typename SecondT, detail::if_floating_group<VecT> = 0,                  \
            std::enable_if_t<detail::goes_with<VecT, SecondT>, int> = 0>                           \
  detail::group_truth_t<VecT> NAME(const VecT &x, const SecondT &y) {                              \
    using DataT = detail::element_t<VecT>;                                                         \
    detail::group_truth_t<VecT> result{};                                                          \
    for (int i = 0; i < detail::group_size<VecT>; ++i)                                             \
      result[i] = sycl::NAME(DataT(x[i]), detail::element_of<DataT>(y, i)) ? -1 : 0;               \
    return result;                                                                                 \
  }
DOVETAIL_COMPARISON(isequal)
DOVETAIL_COMPARISON(isnotequal)
DOVETAIL_COMPARISON(isgreater)
DOVETAIL_COMPARISON(isgreaterequal)
DOVETAIL_COMPARISON(isless)
DOVETAIL_COMPARISON(islessequal)
DOVETAIL_COMPARISON(islessgreater)
DOVETAIL_COMPARISON(isordered)
DOVETAIL_COMPARISON(isunordered)
#undef DOVETAIL_COMPARISON
#undef DOVETAIL_GROUP_1
#undef DOVETAIL_GROUP_2
#undef DOVETAIL_GROUP_3

// Of an integer, the highest bit counts.
template <typename DataT, detail::if_integer<DataT> = 0> bool any(DataT x) {
  return detail::is_true(x);
}
template <typename DataT, detail::if_integer<DataT> = 0> bool all(DataT x) {
  return detail::is_true(x);
}

template <typename VecT, detail::if_integer_group<VecT> = 0> int any(const VecT &x) {
  for (int i = 0; i < detail::group_size<VecT>; ++i)
    if (detail::is_true(x[i]))
      return 1;
  return 0;
}

template <typename VecT, detail::if_integer_group<VecT> = 0> int all(const VecT &x) {
  for (int i = 0; i < detail::group_size<VecT>; ++i)
    if (!detail::is_true(x[i]))
      return 0;
  return 1;
}

// Selects the second value where the condition is true, otherwise the first.
template <typename DataT, std::enable_if_t<detail::is_vec_element<DataT>, int> = 0>
constexpr DataT select(DataT no, DataT yes, bool condition) {
  return condition ? yes : no;
}

template <typename VecT, typename SecondT, typename ConditionT, detail::if_group<VecT> = 0,
          detail::if_integer_group<ConditionT> = 0,
          std::enable_if_t<detail::goes_with<VecT, SecondT>, int> = 0>
detail::group_t<VecT> select(const VecT &no, const SecondT &yes, const ConditionT &condition) {
  static_assert(detail::group_size<VecT> == detail::group_size<ConditionT>, "sizes differ");
  using DataT = detail::element_t<VecT>;
  detail::group_t<VecT> result{};
  for (int i = 0; i < detail::group_size<VecT>; ++i)
    result[i] = detail::is_true(condition[i]) ? detail::element_of<DataT>(yes, i) : DataT(no[i]);
  return result;
}

} // namespace _V1
} // namespace sycl

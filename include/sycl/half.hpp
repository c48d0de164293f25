// half: the 16-bit floating-point number.
#pragma once

#include <limits>
#include <sycl/aspects.hpp>
#include <type_traits>

// Kernels that use the type require a device with half precision. Only the front-end's plugin knows
// the attribute; other compilers would warn.
#ifdef __SYCL_DEVICE_ONLY__
#define DOVETAIL_USES_FP16 [[__sycl_detail__::__uses_aspects__(::sycl::aspect::fp16)]]
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunknown-attributes"
#else
#define DOVETAIL_USES_FP16
#endif

namespace sycl {
inline namespace _V1 {
namespace ext::oneapi {
class bfloat16;
}

namespace detail {
namespace half_impl {

// A class and not an alias of _Float16, because an alias loses its attributes as a template
// argument. Trivial, so that an array of it is an array of such numbers in memory.
class DOVETAIL_USES_FP16 half {
  template <typename DataT>
  using if_arithmetic = std::enable_if_t<std::is_arithmetic_v<DataT>, int>;

  // As in SYCL: a wider floating-point operand sets the result's type, an integer does not.
  template <typename DataT>
  using common_t = std::conditional_t<std::is_floating_point_v<DataT>, DataT, _Float16>;
  template <typename DataT>
  using result_t = std::conditional_t<std::is_floating_point_v<DataT>, DataT, half>;

public:
  half() = default;
  constexpr half(_Float16 number) : value(number) {}
  constexpr half(const ext::oneapi::bfloat16 &number);

  // From any number in one step: by way of float a large integer would be rounded twice.
  template <typename DataT, if_arithmetic<DataT> = 0>
  constexpr half(DataT number) : value(static_cast<_Float16>(number)) {}

  constexpr operator float() const { return static_cast<float>(value); }
  explicit constexpr operator _Float16() const { return value; }

#define DOVETAIL_ARITHMETIC(OP)                                                                    \
  friend constexpr half operator OP(half left, half right) {                                       \
    return half(static_cast<_Float16>(left.value OP right.value));                                 \
  }                                                                                                \
  template <typename DataT, if_arithmetic<DataT> = 0>                                              \
  friend constexpr result_t<DataT> operator OP(half left, DataT right) {                           \
    return static_cast<common_t<DataT>>(left.value) OP static_cast<common_t<DataT>>(right);        \
  }                                                                                                \
  template <typename DataT, if_arithmetic<DataT> = 0>                                              \
  friend constexpr result_t<DataT> operator OP(DataT left, half right) {                           \
    return static_cast<common_t<DataT>>(left) OP static_cast<common_t<DataT>>(right.value);        \
  }                                                                                                \
  constexpr half &operator OP## = (half right) { return *this = *this OP right; }                  \
  template <typename DataT, if_arithmetic<DataT> = 0>                                              \
  constexpr half &operator OP## = (DataT right) {                                                  \
    return *this = half(*this OP right);                                                           \
  }

  DOVETAIL_ARITHMETIC(+)
  DOVETAIL_ARITHMETIC(-)
  DOVETAIL_ARITHMETIC(*)
  DOVETAIL_ARITHMETIC(/)
#undef DOVETAIL_ARITHMETIC

#define DOVETAIL_COMPARISON(OP)                                                                    \
  friend constexpr bool operator OP(half left, half right) { return left.value OP right.value; }   \
  template <typename DataT, if_arithmetic<DataT> = 0>                                              \
  friend constexpr bool operator OP(half left, DataT right) {                                      \
    return static_cast<common_t<DataT>>(left.value) OP static_cast<common_t<DataT>>(right);        \
  }                                                                                                \
  template <typename DataT, if_arithmetic<DataT> = 0>                                              \
  friend constexpr bool operator OP(DataT left, half right) {                                      \
    return static_cast<common_t<DataT>>(left) OP static_cast<common_t<DataT>>(right.value);        \
  }

  DOVETAIL_COMPARISON(==)
  DOVETAIL_COMPARISON(!=)
  DOVETAIL_COMPARISON(<)
  DOVETAIL_COMPARISON(>)
  DOVETAIL_COMPARISON(<=)
  DOVETAIL_COMPARISON(>=)
#undef DOVETAIL_COMPARISON

  friend constexpr half operator+(half operand) { return operand; }
  friend constexpr half operator-(half operand) {
    return half(static_cast<_Float16>(-operand.value));
  }

  constexpr half &operator++() { return *this += half(1); }
  constexpr half &operator--() { return *this -= half(1); }

  constexpr half operator++(int) {
    half before = *this;
    ++*this;
    return before;
  }

  constexpr half operator--(int) {
    half before = *this;
    --*this;
    return before;
  }

  // From a stream; a template, so that no header of streams is needed.
  template <typename Stream>
  friend auto operator>>(Stream &in, half &number)
      -> decltype(in >> *static_cast<float *>(nullptr)) {
    float read = number;
    in >> read;
    number = read;
    return in;
  }

private:
  _Float16 value;
};

} // namespace half_impl
} // namespace detail

using half = detail::half_impl::half;

} // namespace _V1
} // namespace sycl

#ifdef __SYCL_DEVICE_ONLY__
#pragma clang diagnostic pop
#endif
#undef DOVETAIL_USES_FP16

// The compiler's own constants for _Float16.
template <> class std::numeric_limits<sycl::half> {
public:
  static constexpr bool is_specialized = true;
  static constexpr bool is_signed = true;
  static constexpr bool is_integer = false;
  static constexpr bool is_exact = false;
  static constexpr bool has_infinity = true;
  static constexpr bool has_quiet_NaN = true;
  static constexpr bool has_signaling_NaN = true;
  static constexpr bool is_iec559 = true;
  static constexpr bool is_bounded = true;
  static constexpr bool is_modulo = false;
  static constexpr bool traps = false;
  static constexpr bool tinyness_before = false;
  static constexpr std::float_round_style round_style = std::round_to_nearest;
  static constexpr int radix = 2;
  static constexpr int digits = __FLT16_MANT_DIG__;
  static constexpr int digits10 = __FLT16_DIG__;
  static constexpr int max_digits10 = __FLT16_DECIMAL_DIG__;
  static constexpr int min_exponent = __FLT16_MIN_EXP__;
  static constexpr int min_exponent10 = __FLT16_MIN_10_EXP__;
  static constexpr int max_exponent = __FLT16_MAX_EXP__;
  static constexpr int max_exponent10 = __FLT16_MAX_10_EXP__;

  static constexpr sycl::half min() noexcept { return __FLT16_MIN__; }
  static constexpr sycl::half max() noexcept { return __FLT16_MAX__; }
  static constexpr sycl::half lowest() noexcept { return -__FLT16_MAX__; }
  static constexpr sycl::half epsilon() noexcept { return __FLT16_EPSILON__; }
  static constexpr sycl::half round_error() noexcept { return 0.5f; }
  static constexpr sycl::half denorm_min() noexcept { return __FLT16_DENORM_MIN__; }
  static constexpr sycl::half infinity() noexcept { return __builtin_huge_valf(); }
  static constexpr sycl::half quiet_NaN() noexcept { return __builtin_nanf(""); }
  static constexpr sycl::half signaling_NaN() noexcept { return __builtin_nansf16(""); }
};

// bfloat16: the floating-point number with the exponent of float and 8 bits of precision.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <sycl/bit_cast.hpp>
#include <sycl/half.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {
namespace ext::oneapi {

// Arithmetic is that of float, whose results are rounded. Conversions are written with integers,
// so that they have the same results on every device.
class bfloat16 {
  template <typename Number>
  using if_number =
      std::enable_if_t<std::is_convertible_v<Number, float> && !std::is_same_v<Number, bfloat16>,
                       int>;

public:
  bfloat16() = default;
  constexpr bfloat16(const bfloat16 &) = default;
  constexpr bfloat16 &operator=(const bfloat16 &) = default;

  constexpr bfloat16(const float &number) : bits(round(number)) {}
  constexpr bfloat16(const half &number) : bits(round(number)) {}

  constexpr operator float() const {
    return sycl::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
  }
  explicit constexpr operator bool() const { return (bits & 0x7fff) != 0; }

#define DOVETAIL_OPERATOR(RESULT, OP)                                                              \
  friend constexpr RESULT operator OP(const bfloat16 &left, const bfloat16 &right) {               \
    return static_cast<float>(left) OP static_cast<float>(right);                                  \
  }                                                                                                \
  template <typename Number, if_number<Number> = 0>                                                \
  friend constexpr RESULT operator OP(const bfloat16 &left, const Number &right) {                 \
    return static_cast<float>(left) OP static_cast<float>(right);                                  \
  }                                                                                                \
  template <typename Number, if_number<Number> = 0>                                                \
  friend constexpr RESULT operator OP(const Number &left, const bfloat16 &right) {                 \
    return static_cast<float>(left) OP static_cast<float>(right);                                  \
  }
#define DOVETAIL_ARITHMETIC(OP)                                                                    \
  DOVETAIL_OPERATOR(bfloat16, OP)                                                                  \
  friend constexpr bfloat16 &operator OP## = (bfloat16 & left, const bfloat16 &right) {            \
    return left = left OP right;                                                                   \
  }
  DOVETAIL_ARITHMETIC(+)
  DOVETAIL_ARITHMETIC(-)
  DOVETAIL_ARITHMETIC(*)
  DOVETAIL_ARITHMETIC(/)
  DOVETAIL_OPERATOR(bool, ==)
  DOVETAIL_OPERATOR(bool, !=)
  DOVETAIL_OPERATOR(bool, <)
  DOVETAIL_OPERATOR(bool, >)
  DOVETAIL_OPERATOR(bool, <=)
  DOVETAIL_OPERATOR(bool, >=)
#undef DOVETAIL_ARITHMETIC
#undef DOVETAIL_OPERATOR

  friend constexpr bfloat16 operator+(const bfloat16 &operand) { return operand; }
  friend constexpr bfloat16 operator-(const bfloat16 &operand) {
    return from_bits(static_cast<std::uint16_t>(operand.bits ^ 0x8000));
  }

  friend constexpr bfloat16 &operator++(bfloat16 &operand) { return operand = operand + 1.0f; }
  friend constexpr bfloat16 &operator--(bfloat16 &operand) { return operand = operand - 1.0f; }

  friend constexpr bfloat16 operator++(bfloat16 &operand, int) {
    bfloat16 before = operand;
    ++operand;
    return before;
  }

  friend constexpr bfloat16 operator--(bfloat16 &operand, int) {
    bfloat16 before = operand;
    --operand;
    return before;
  }

  // From a stream; a template, so that no header of streams is needed.
  template <typename Stream>
  friend auto operator>>(Stream &in, bfloat16 &number)
      -> decltype(in >> *static_cast<float *>(nullptr)) {
    float read = number;
    in >> read;
    number = read;
    return in;
  }

private:
  friend std::numeric_limits<bfloat16>;

  static constexpr bfloat16 from_bits(std::uint16_t bits) { return sycl::bit_cast<bfloat16>(bits); }

  // To the nearest number, to the even one of two. NaN stays NaN, and becomes quiet.
  static constexpr std::uint16_t round(float number) {
    auto exact = sycl::bit_cast<std::uint32_t>(number);
    if (number != number)
      return static_cast<std::uint16_t>((exact >> 16) | 0x40);
    return static_cast<std::uint16_t>((exact + 0x7fff + ((exact >> 16) & 1)) >> 16);
  }

  std::uint16_t bits;
};

} // namespace ext::oneapi

constexpr detail::half_impl::half::half(const ext::oneapi::bfloat16 &number)
    : half(static_cast<float>(number)) {}

} // namespace _V1
} // namespace sycl

template <> class std::numeric_limits<sycl::ext::oneapi::bfloat16> {
  using number = sycl::ext::oneapi::bfloat16;

public:
  static constexpr bool is_specialized = true;
  static constexpr bool is_signed = true;
  static constexpr bool is_integer = false;
  static constexpr bool is_exact = false;
  static constexpr bool has_infinity = true;
  static constexpr bool has_quiet_NaN = true;
  static constexpr bool has_signaling_NaN = true;
  static constexpr bool is_iec559 = false;
  static constexpr bool is_bounded = true;
  static constexpr bool is_modulo = false;
  static constexpr bool traps = false;
  static constexpr bool tinyness_before = false;
  static constexpr std::float_round_style round_style = std::round_to_nearest;
  static constexpr int radix = 2;
  static constexpr int digits = 8;
  static constexpr int digits10 = 2;
  static constexpr int max_digits10 = 4;
  static constexpr int min_exponent = -125;
  static constexpr int min_exponent10 = -37;
  static constexpr int max_exponent = 128;
  static constexpr int max_exponent10 = 38;

  static constexpr number min() noexcept { return number::from_bits(0x0080); }
  static constexpr number max() noexcept { return number::from_bits(0x7f7f); }
  static constexpr number lowest() noexcept { return number::from_bits(0xff7f); }
  static constexpr number epsilon() noexcept { return number::from_bits(0x3c00); }
  static constexpr number round_error() noexcept { return number::from_bits(0x3f00); }
  static constexpr number denorm_min() noexcept { return number::from_bits(0x0001); }
  static constexpr number infinity() noexcept { return number::from_bits(0x7f80); }
  static constexpr number quiet_NaN() noexcept { return number::from_bits(0x7fc0); }
  static constexpr number signaling_NaN() noexcept { return number::from_bits(0x7fa0); }
};

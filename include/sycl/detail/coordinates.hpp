// What id and range share: one size_t per dimension and SYCL's element-wise operators.
#pragma once

#include <cstddef>
#include <type_traits>

namespace sycl {
inline namespace _V1 {
namespace detail {

// Derived is id<Dimensions> or range<Dimensions>. Operators are friends, found through their
// arguments only, so that they take part in no other overload resolution.
//
// The second operand is a template wherever the standard has size_t: a one-dimensional id converts
// to size_t, and with a plain size_t operand `id + 1` could as well mean the built-in addition.
template <typename Derived, int Dimensions> class coordinates {
  static_assert(Dimensions >= 1 && Dimensions <= 3, "SYCL has one to three dimensions");

  template <typename DataT> using if_integral = std::enable_if_t<std::is_integral_v<DataT>, int>;

  template <typename DataT>
  using if_scalar_like = std::enable_if_t<Dimensions == 1 && std::is_integral_v<DataT>, int>;

public:
  static constexpr int dimensions = Dimensions;

  constexpr std::size_t get(int dimension) const { return values[dimension]; }
  constexpr std::size_t &operator[](int dimension) { return values[dimension]; }
  constexpr std::size_t operator[](int dimension) const { return values[dimension]; }

  friend constexpr bool operator==(const Derived &left, const Derived &right) {
    for (int i = 0; i < Dimensions; ++i)
      if (left[i] != right[i])
        return false;
    return true;
  }

  friend constexpr bool operator!=(const Derived &left, const Derived &right) {
    return !(left == right);
  }

  template <typename DataT, if_scalar_like<DataT> = 0>
  friend constexpr bool operator==(const Derived &left, DataT right) {
    return left[0] == static_cast<std::size_t>(right);
  }

  template <typename DataT, if_scalar_like<DataT> = 0>
  friend constexpr bool operator==(DataT left, const Derived &right) {
    return right == left;
  }

  template <typename DataT, if_scalar_like<DataT> = 0>
  friend constexpr bool operator!=(const Derived &left, DataT right) {
    return !(left == right);
  }

  template <typename DataT, if_scalar_like<DataT> = 0>
  friend constexpr bool operator!=(DataT left, const Derived &right) {
    return !(right == left);
  }

  // left OP right, element by element; a comparison gives ones and zeros.
#define DOVETAIL_BINARY(OP)                                                                        \
  friend constexpr Derived operator OP(const Derived &left, const Derived &right) {                \
    Derived result;                                                                                \
    for (int i = 0; i < Dimensions; ++i)                                                           \
      result[i] = left[i] OP right[i];                                                             \
    return result;                                                                                 \
  }                                                                                                \
  template <typename DataT, if_integral<DataT> = 0>                                                \
  friend constexpr Derived operator OP(const Derived &left, DataT right) {                         \
    Derived result;                                                                                \
    for (int i = 0; i < Dimensions; ++i)                                                           \
      result[i] = left[i] OP static_cast<std::size_t>(right);                                      \
    return result;                                                                                 \
  }                                                                                                \
  template <typename DataT, if_integral<DataT> = 0>                                                \
  friend constexpr Derived operator OP(DataT left, const Derived &right) {                         \
    Derived result;                                                                                \
    for (int i = 0; i < Dimensions; ++i)                                                           \
      result[i] = static_cast<std::size_t>(left) OP right[i];                                      \
    return result;                                                                                 \
  }

#define DOVETAIL_ARITHMETIC(OP)                                                                    \
  DOVETAIL_BINARY(OP)                                                                              \
  friend constexpr Derived &operator OP## = (Derived & left, const Derived &right) {               \
    return left = left OP right;                                                                   \
  }                                                                                                \
  template <typename DataT, if_integral<DataT> = 0>                                                \
  friend constexpr Derived &operator OP## = (Derived & left, DataT right) {                        \
    return left = left OP right;                                                                   \
  }

  DOVETAIL_ARITHMETIC(+)
  DOVETAIL_ARITHMETIC(-)
  DOVETAIL_ARITHMETIC(*)
  DOVETAIL_ARITHMETIC(/)
  DOVETAIL_ARITHMETIC(%)
  DOVETAIL_ARITHMETIC(<<)
  DOVETAIL_ARITHMETIC(>>)
  DOVETAIL_ARITHMETIC(&)
  DOVETAIL_ARITHMETIC(|)
  DOVETAIL_ARITHMETIC(^)
  DOVETAIL_BINARY(&&)
  DOVETAIL_BINARY(||)
  DOVETAIL_BINARY(<)
  DOVETAIL_BINARY(>)
  DOVETAIL_BINARY(<=)
  DOVETAIL_BINARY(>=)
#undef DOVETAIL_ARITHMETIC
#undef DOVETAIL_BINARY

  friend constexpr Derived operator+(const Derived &operand) { return operand; }
  friend constexpr Derived operator-(const Derived &operand) { return std::size_t{0} - operand; }
  friend constexpr Derived &operator++(Derived &operand) { return operand += std::size_t{1}; }
  friend constexpr Derived &operator--(Derived &operand) { return operand -= std::size_t{1}; }

  friend constexpr Derived operator++(Derived &operand, int) {
    Derived before = operand;
    ++operand;
    return before;
  }

  friend constexpr Derived operator--(Derived &operand, int) {
    Derived before = operand;
    --operand;
    return before;
  }

protected:
  constexpr coordinates() = default;

  std::size_t values[Dimensions] = {};
};

} // namespace detail
} // namespace _V1
} // namespace sycl

// marray: an array of numbers that are computed with together. Unlike vec, it has any size and no
// alignment of its own.
#pragma once

#include <cstddef>
#include <sycl/builtins/vec_functions.hpp>
#include <sycl/detail/vec_traits.hpp>
#include <sycl/half.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {

template <typename T, std::size_t N> class marray {
  template <typename U> using if_integer = std::enable_if_t<!detail::is_floating<U>, int>;

public:
  using value_type = T;
  using reference = T &;
  using const_reference = const T &;
  using iterator = T *;
  using const_iterator = const T *;

  constexpr marray() : elements{} {}

  explicit constexpr marray(const T &all) : elements{} {
    for (T &element : elements)
      element = all;
  }

  template <typename... Arguments,
            std::enable_if_t<sizeof...(Arguments) == N && (N > 1) &&
                                 (std::is_convertible_v<Arguments, T> && ...),
                             int> = 0>
  constexpr marray(const Arguments &...arguments) : elements{static_cast<T>(arguments)...} {}

  constexpr marray(const marray &) = default;
  constexpr marray &operator=(const marray &) = default;

  constexpr marray &operator=(const T &all) { return *this = marray(all); }

  // One element is as good as a scalar.
  template <std::size_t M = N, std::enable_if_t<M == 1, int> = 0> constexpr operator T() const {
    return elements[0];
  }

  static constexpr std::size_t size() noexcept { return N; }

  constexpr reference operator[](std::size_t index) { return elements[index]; }
  constexpr const_reference operator[](std::size_t index) const { return elements[index]; }

  constexpr iterator begin() { return elements; }
  constexpr const_iterator begin() const { return elements; }
  constexpr iterator end() { return elements + N; }
  constexpr const_iterator end() const { return elements + N; }

  // Small types are promoted to int on the way, hence the conversion back.
#define DOVETAIL_OPERATOR(OP, RESULT, ...)                                                         \
  __VA_ARGS__                                                                                      \
  friend constexpr marray<RESULT, N> operator OP(const marray &left, const marray &right) {        \
    marray<RESULT, N> result;                                                                      \
    for (std::size_t i = 0; i < N; ++i)                                                            \
      result[i] = static_cast<RESULT>(left.elements[i] OP right.elements[i]);                      \
    return result;                                                                                 \
  }                                                                                                \
  __VA_ARGS__                                                                                      \
  friend constexpr marray<RESULT, N> operator OP(const marray &left, const T &right) {             \
    return left OP marray(right);                                                                  \
  }                                                                                                \
  __VA_ARGS__                                                                                      \
  friend constexpr marray<RESULT, N> operator OP(const T &left, const marray &right) {             \
    return marray(left) OP right;                                                                  \
  }
#define DOVETAIL_ASSIGNMENT(OP, ...)                                                               \
  DOVETAIL_OPERATOR(OP, T, __VA_ARGS__)                                                            \
  __VA_ARGS__                                                                                      \
  friend constexpr marray &operator OP## = (marray & left, const marray &right) {                  \
    return left = left OP right;                                                                   \
  }                                                                                                \
  __VA_ARGS__                                                                                      \
  friend constexpr marray &operator OP## = (marray & left, const T &right) {                       \
    return left = left OP right;                                                                   \
  }
#define DOVETAIL_IF_INTEGER template <typename U = T, if_integer<U> = 0>
  DOVETAIL_ASSIGNMENT(+, )
  DOVETAIL_ASSIGNMENT(-, )
  DOVETAIL_ASSIGNMENT(*, )
  DOVETAIL_ASSIGNMENT(/, )
  DOVETAIL_ASSIGNMENT(%, DOVETAIL_IF_INTEGER)
  DOVETAIL_ASSIGNMENT(&, DOVETAIL_IF_INTEGER)
  DOVETAIL_ASSIGNMENT(|, DOVETAIL_IF_INTEGER)
  DOVETAIL_ASSIGNMENT(^, DOVETAIL_IF_INTEGER)
  DOVETAIL_ASSIGNMENT(<<, DOVETAIL_IF_INTEGER)
  DOVETAIL_ASSIGNMENT(>>, DOVETAIL_IF_INTEGER)
  DOVETAIL_OPERATOR(==, bool, )
  DOVETAIL_OPERATOR(!=, bool, )
  DOVETAIL_OPERATOR(<, bool, )
  DOVETAIL_OPERATOR(>, bool, )
  DOVETAIL_OPERATOR(<=, bool, )
  DOVETAIL_OPERATOR(>=, bool, )
  DOVETAIL_OPERATOR(&&, bool, )
  DOVETAIL_OPERATOR(||, bool, )
#undef DOVETAIL_ASSIGNMENT
#undef DOVETAIL_OPERATOR

  friend constexpr marray operator+(const marray &operand) { return operand; }

  friend constexpr marray operator-(const marray &operand) {
    marray result;
    for (std::size_t i = 0; i < N; ++i)
      result[i] = static_cast<T>(-operand.elements[i]);
    return result;
  }

  DOVETAIL_IF_INTEGER friend constexpr marray operator~(const marray &operand) {
    marray result;
    for (std::size_t i = 0; i < N; ++i)
      result[i] = static_cast<T>(~operand.elements[i]);
    return result;
  }
#undef DOVETAIL_IF_INTEGER

  friend constexpr marray<bool, N> operator!(const marray &operand) { return operand == T(0); }

  friend constexpr marray &operator++(marray &operand) { return operand += T(1); }
  friend constexpr marray &operator--(marray &operand) { return operand -= T(1); }

  friend constexpr marray operator++(marray &operand, int) {
    marray before = operand;
    ++operand;
    return before;
  }

  friend constexpr marray operator--(marray &operand, int) {
    marray before = operand;
    --operand;
    return before;
  }

private:
  T elements[N];
};

template <typename T, typename... Rest, std::enable_if_t<(std::is_same_v<T, Rest> && ...), int> = 0>
marray(T, Rest...) -> marray<T, 1 + sizeof...(Rest)>;

namespace detail {

template <typename T, std::size_t N> struct number_group<marray<T, N>> {
  static constexpr bool value = true;
  static constexpr std::size_t size = N;
  using element = T;
  using type = marray<T, N>;
  using truth = marray<bool, N>;
};

} // namespace detail
} // namespace _V1
} // namespace sycl

// swizzle: some elements of a vector in some order, to be read or written like a vector.
//
// It refers to the vector, so it must not outlive it.
#pragma once

#include <cstddef>
#include <sycl/detail/vec_traits.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {
namespace detail {

template <typename Vector, int... Indices> class swizzle {
  using element = typename number_group<std::remove_const_t<Vector>>::element;
  using value = vec<element, sizeof...(Indices)>;
  static constexpr int places[] = {Indices...};

  // The other operand of an operator. If both operands are swizzles, the left one's operator is
  // used.
  template <typename Other>
  static constexpr bool is_operand =
      std::is_convertible_v<Other, value> || std::is_convertible_v<Other, element>;
  template <typename Other> static constexpr bool is_swizzle = false;
  template <typename VecT, int... Chosen>
  static constexpr bool is_swizzle<swizzle<VecT, Chosen...>> = true;
  template <typename Other> using if_right = std::enable_if_t<is_operand<Other>, int>;
  template <typename Other>
  using if_left = std::enable_if_t<is_operand<Other> && !is_swizzle<Other>, int>;

  template <typename Other> static constexpr value operand(const Other &other) {
    if constexpr (std::is_convertible_v<Other, value>)
      return other;
    else
      return value(static_cast<element>(other));
  }

public:
  using element_type = element;
  using value_type = element;

  explicit constexpr swizzle(Vector &vector) : vector(vector) {}
  constexpr swizzle(const swizzle &) = default;

  static constexpr std::size_t size() noexcept { return sizeof...(Indices); }

  constexpr auto &operator[](int index) const { return vector[places[index]]; }

  constexpr operator value() const { return get(); }

  constexpr value get() const {
    value result{};
    for (std::size_t i = 0; i < size(); ++i)
      result[static_cast<int>(i)] = vector[places[i]];
    return result;
  }

  // A swizzle of one element converts to a scalar.
  template <int NumElements = static_cast<int>(sizeof...(Indices)),
            std::enable_if_t<NumElements == 1, int> = 0>
  constexpr operator element() const {
    return vector[places[0]];
  }

  template <typename Other, if_right<Other> = 0>
  constexpr const swizzle &operator=(const Other &other) const {
    // A copy first: the other side may be elements of the same vector.
    value copy = operand(other);
    for (std::size_t i = 0; i < size(); ++i)
      vector[places[i]] = copy[static_cast<int>(i)];
    return *this;
  }
  constexpr const swizzle &operator=(const swizzle &other) const { return *this = other.get(); }

#define DOVETAIL_OPERATOR(OP)                                                                      \
  template <typename Other, if_right<Other> = 0>                                                   \
  friend constexpr auto operator OP(const swizzle &left, const Other &right) {                     \
    return left.get() OP operand(right);                                                           \
  }                                                                                                \
  template <typename Other, if_left<Other> = 0>                                                    \
  friend constexpr auto operator OP(const Other &left, const swizzle &right) {                     \
    return operand(left) OP right.get();                                                           \
  }
#define DOVETAIL_ASSIGNMENT(OP)                                                                    \
  DOVETAIL_OPERATOR(OP)                                                                            \
  template <typename Other, if_right<Other> = 0>                                                   \
  constexpr const swizzle &operator OP## = (const Other &other) const {                            \
    return *this = get() OP operand(other);                                                        \
  }
  DOVETAIL_ASSIGNMENT(+)
  DOVETAIL_ASSIGNMENT(-)
  DOVETAIL_ASSIGNMENT(*)
  DOVETAIL_ASSIGNMENT(/)
  DOVETAIL_ASSIGNMENT(%)
  DOVETAIL_ASSIGNMENT(&)
  DOVETAIL_ASSIGNMENT(|)
  DOVETAIL_ASSIGNMENT(^)
  DOVETAIL_ASSIGNMENT(<<)
  DOVETAIL_ASSIGNMENT(>>)
  DOVETAIL_OPERATOR(&&)
  DOVETAIL_OPERATOR(||)
  DOVETAIL_OPERATOR(==)
  DOVETAIL_OPERATOR(!=)
  DOVETAIL_OPERATOR(<)
  DOVETAIL_OPERATOR(>)
  DOVETAIL_OPERATOR(<=)
  DOVETAIL_OPERATOR(>=)
#undef DOVETAIL_ASSIGNMENT
#undef DOVETAIL_OPERATOR

  constexpr auto operator+() const { return +get(); }
  constexpr auto operator-() const { return -get(); }
  constexpr auto operator!() const { return !get(); }
  constexpr auto operator~() const { return ~get(); }

private:
  Vector &vector;
};

// `Count` elements of a vector, starting at `First`, with a stride of `Step`.
template <typename Vector, int First, int Step, int Count, int... Indices>
constexpr auto every(Vector &vector) {
  if constexpr (sizeof...(Indices) == Count)
    return swizzle<Vector, Indices...>(vector);
  else
    return every<Vector, First, Step, Count, Indices...,
                 First + Step *static_cast<int>(sizeof...(Indices))>(vector);
}

} // namespace detail
} // namespace _V1
} // namespace sycl

// vec_swizzle: some elements of a vector in some order, to be read or written like a vector.
//
// It refers to the vector, so it must not outlive it.
#pragma once

#include <sycl/detail/vec_elements.hpp>
#include <sycl/detail/vec_traits.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {
namespace detail {

template <typename Vector, int... Indices>
class vec_swizzle : public vec_elements<vec_swizzle<Vector, Indices...>,
                                        typename number_group<std::remove_const_t<Vector>>::element,
                                        static_cast<int>(sizeof...(Indices))> {
  using element = typename number_group<std::remove_const_t<Vector>>::element;
  using value = vec<element, sizeof...(Indices)>;
  static constexpr int count = static_cast<int>(sizeof...(Indices));
  static constexpr int places[] = {Indices...};

  // The other operand of an operator. If both operands are swizzles, the left one's operator is
  // used.
  template <typename Other>
  static constexpr bool is_operand =
      std::is_convertible_v<Other, value> || std::is_convertible_v<Other, element>;
  template <typename Other> static constexpr bool is_swizzle = false;
  template <typename VecT, int... Chosen>
  static constexpr bool is_swizzle<vec_swizzle<VecT, Chosen...>> = true;
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

  explicit constexpr vec_swizzle(Vector &vector) : vector(vector) {}
  constexpr vec_swizzle(const vec_swizzle &) = default;

  constexpr auto &operator[](int index) const { return vector[places[index]]; }

  constexpr operator value() const { return get(); }

  constexpr value get() const {
    value result{};
    for (int i = 0; i < count; ++i)
      result[i] = vector[places[i]];
    return result;
  }

  template <typename Other, if_right<Other> = 0>
  constexpr const vec_swizzle &operator=(const Other &other) const {
    // A copy first: the other side may be elements of the same vector.
    value copy = operand(other);
    // From the end, so that an undefined fourth element does not replace the third (`choose`).
    for (int i = count; i-- > 0;)
      vector[places[i]] = copy[i];
    return *this;
  }
  constexpr const vec_swizzle &operator=(const vec_swizzle &other) const {
    return *this = other.get();
  }

#define DOVETAIL_OPERATOR(OP)                                                                      \
  template <typename Other, if_right<Other> = 0>                                                   \
  friend constexpr auto operator OP(const vec_swizzle &left, const Other &right) {                 \
    return left.get() OP operand(right);                                                           \
  }                                                                                                \
  template <typename Other, if_left<Other> = 0>                                                    \
  friend constexpr auto operator OP(const Other &left, const vec_swizzle &right) {                 \
    return operand(left) OP right.get();                                                           \
  }
#define DOVETAIL_ASSIGNMENT(OP)                                                                    \
  DOVETAIL_OPERATOR(OP)                                                                            \
  template <typename Other, if_right<Other> = 0>                                                   \
  constexpr const vec_swizzle &operator OP## = (const Other &other) const {                        \
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

  constexpr const vec_swizzle &operator++() const { return *this += element(1); }
  constexpr const vec_swizzle &operator--() const { return *this -= element(1); }

  constexpr value operator++(int) const {
    value before = get();
    ++*this;
    return before;
  }

  constexpr value operator--(int) const {
    value before = get();
    --*this;
    return before;
  }

private:
  friend vec_elements<vec_swizzle, element, count>;

  // The last element also represents the undefined one after three.
  template <int... Chosen> constexpr auto choose() const {
    return vec_swizzle<Vector, places[Chosen < count ? Chosen : count - 1]...>(vector);
  }

  Vector &vector;
};

} // namespace detail
} // namespace _V1
} // namespace sycl

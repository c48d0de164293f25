// marray: an array of numbers with element-wise operators. Unlike vec, it can have any size, and
// its alignment is that of its elements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <sycl/builtins/geometric_functions.hpp>
#include <sycl/builtins/vec_functions.hpp>
#include <sycl/detail/single_element.hpp>
#include <sycl/detail/vec_traits.hpp>
#include <sycl/half.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {

template <typename DataT, std::size_t NumElements>
class marray : public detail::single_element<marray<DataT, NumElements>, DataT, NumElements> {
  template <typename OtherT> using if_integer = std::enable_if_t<!detail::is_floating<OtherT>, int>;
  template <typename Scalar> using if_scalar = detail::if_scalar_of<DataT, Scalar>;

  template <typename Argument> struct initializer {
    static constexpr std::size_t count = 1;
    static constexpr bool converts = std::is_convertible_v<Argument, DataT>;
  };
  template <typename Other, std::size_t Elements> struct initializer<marray<Other, Elements>> {
    static constexpr std::size_t count = Elements;
    static constexpr bool converts = std::is_convertible_v<Other, DataT>;
  };

  // Arguments that together initialize all elements, except a single one for other constructors.
  template <typename... Arguments>
  static constexpr bool give_all =
      (initializer<Arguments>::converts && ...) &&
      (initializer<Arguments>::count + ... + 0) == NumElements && sizeof...(Arguments) >= 2;

public:
  using value_type = DataT;
  using reference = DataT &;
  using const_reference = const DataT &;
  using iterator = DataT *;
  using const_iterator = const DataT *;

  constexpr marray() : elements{} {}

  explicit constexpr marray(const DataT &all) : elements{} {
    for (DataT &element : elements)
      element = all;
  }

  // In braces, a number of another type would otherwise be a narrowing conversion.
  template <typename Scalar, std::enable_if_t<detail::is_other_number<DataT, Scalar>, int> = 0>
  explicit constexpr marray(const Scalar &all) : marray(static_cast<DataT>(all)) {}

  template <typename... Arguments, std::enable_if_t<give_all<Arguments...>, int> = 0>
  constexpr marray(const Arguments &...arguments) : elements{} {
    std::size_t at = 0;
    (append(at, arguments), ...);
  }

  constexpr marray(const marray &) = default;
  constexpr marray &operator=(const marray &) = default;

  constexpr marray &operator=(const DataT &all) { return *this = marray(all); }

  static constexpr std::size_t size() noexcept { return NumElements; }

  constexpr reference operator[](std::size_t index) { return elements[index]; }
  constexpr const_reference operator[](std::size_t index) const { return elements[index]; }

  constexpr iterator begin() { return elements; }
  constexpr const_iterator begin() const { return elements; }
  constexpr iterator end() { return elements + NumElements; }
  constexpr const_iterator end() const { return elements + NumElements; }

  // Small types are promoted to int on the way, hence the conversion back.
#define DOVETAIL_OPERATOR(OP, RESULT, CONDITION, SCALAR_CONDITION)                                 \
  CONDITION                                                                                        \
  friend constexpr marray<RESULT, NumElements> operator OP(const marray &left,                     \
                                                           const marray &right) {                  \
    marray<RESULT, NumElements> result;                                                            \
    for (std::size_t i = 0; i < NumElements; ++i)                                                  \
      result[i] = static_cast<RESULT>(left.elements[i] OP right.elements[i]);                      \
    return result;                                                                                 \
  }                                                                                                \
  SCALAR_CONDITION                                                                                 \
  friend constexpr marray<RESULT, NumElements> operator OP(const marray &left,                     \
                                                           const Scalar &right) {                  \
    return left OP marray(static_cast<DataT>(right));                                              \
  }                                                                                                \
  SCALAR_CONDITION                                                                                 \
  friend constexpr marray<RESULT, NumElements> operator OP(const Scalar &left,                     \
                                                           const marray &right) {                  \
    return marray(static_cast<DataT>(left)) OP right;                                              \
  }
#define DOVETAIL_ASSIGNMENT(OP, CONDITION, SCALAR_CONDITION)                                       \
  CONDITION                                                                                        \
  friend constexpr marray &operator OP## = (marray & left, const marray &right) {                  \
    return left = left OP right;                                                                   \
  }                                                                                                \
  SCALAR_CONDITION                                                                                 \
  friend constexpr marray &operator OP## = (marray & left, const Scalar &right) {                  \
    return left = left OP right;                                                                   \
  }
#define DOVETAIL_IF_SCALAR template <typename Scalar, if_scalar<Scalar> = 0>
#define DOVETAIL_IF_INTEGER template <typename OtherT = DataT, if_integer<OtherT> = 0>
#define DOVETAIL_IF_INTEGER_AND_SCALAR                                                             \
  template <typename Scalar, typename OtherT = DataT, if_integer<OtherT> = 0, if_scalar<Scalar> = 0>
  DOVETAIL_OPERATOR(+, DataT, , DOVETAIL_IF_SCALAR)
  DOVETAIL_OPERATOR(-, DataT, , DOVETAIL_IF_SCALAR)
  DOVETAIL_OPERATOR(*, DataT, , DOVETAIL_IF_SCALAR)
  DOVETAIL_OPERATOR(/, DataT, , DOVETAIL_IF_SCALAR)
  DOVETAIL_OPERATOR(%, DataT, DOVETAIL_IF_INTEGER, DOVETAIL_IF_INTEGER_AND_SCALAR)
  DOVETAIL_OPERATOR(&, DataT, DOVETAIL_IF_INTEGER, DOVETAIL_IF_INTEGER_AND_SCALAR)
  DOVETAIL_OPERATOR(|, DataT, DOVETAIL_IF_INTEGER, DOVETAIL_IF_INTEGER_AND_SCALAR)
  DOVETAIL_OPERATOR(^, DataT, DOVETAIL_IF_INTEGER, DOVETAIL_IF_INTEGER_AND_SCALAR)
  DOVETAIL_OPERATOR(<<, DataT, DOVETAIL_IF_INTEGER, DOVETAIL_IF_INTEGER_AND_SCALAR)
  DOVETAIL_OPERATOR(>>, DataT, DOVETAIL_IF_INTEGER, DOVETAIL_IF_INTEGER_AND_SCALAR)
  DOVETAIL_OPERATOR(==, bool, , DOVETAIL_IF_SCALAR)
  DOVETAIL_OPERATOR(!=, bool, , DOVETAIL_IF_SCALAR)
  DOVETAIL_OPERATOR(<, bool, , DOVETAIL_IF_SCALAR)
  DOVETAIL_OPERATOR(>, bool, , DOVETAIL_IF_SCALAR)
  DOVETAIL_OPERATOR(<=, bool, , DOVETAIL_IF_SCALAR)
  DOVETAIL_OPERATOR(>=, bool, , DOVETAIL_IF_SCALAR)
  DOVETAIL_OPERATOR(&&, bool, , DOVETAIL_IF_SCALAR)
  DOVETAIL_OPERATOR(||, bool, , DOVETAIL_IF_SCALAR)
  DOVETAIL_ASSIGNMENT(+, , DOVETAIL_IF_SCALAR)
  DOVETAIL_ASSIGNMENT(-, , DOVETAIL_IF_SCALAR)
  DOVETAIL_ASSIGNMENT(*, , DOVETAIL_IF_SCALAR)
  DOVETAIL_ASSIGNMENT(/, , DOVETAIL_IF_SCALAR)
  DOVETAIL_ASSIGNMENT(%, DOVETAIL_IF_INTEGER, DOVETAIL_IF_INTEGER_AND_SCALAR)
  DOVETAIL_ASSIGNMENT(&, DOVETAIL_IF_INTEGER, DOVETAIL_IF_INTEGER_AND_SCALAR)
  DOVETAIL_ASSIGNMENT(|, DOVETAIL_IF_INTEGER, DOVETAIL_IF_INTEGER_AND_SCALAR)
  DOVETAIL_ASSIGNMENT(^, DOVETAIL_IF_INTEGER, DOVETAIL_IF_INTEGER_AND_SCALAR)
  DOVETAIL_ASSIGNMENT(<<, DOVETAIL_IF_INTEGER, DOVETAIL_IF_INTEGER_AND_SCALAR)
  DOVETAIL_ASSIGNMENT(>>, DOVETAIL_IF_INTEGER, DOVETAIL_IF_INTEGER_AND_SCALAR)
#undef DOVETAIL_ASSIGNMENT
#undef DOVETAIL_OPERATOR
#undef DOVETAIL_IF_INTEGER_AND_SCALAR
#undef DOVETAIL_IF_SCALAR

  friend constexpr marray operator+(const marray &operand) { return operand; }

  friend constexpr marray operator-(const marray &operand) {
    marray result;
    for (std::size_t i = 0; i < NumElements; ++i)
      result[i] = static_cast<DataT>(-operand.elements[i]);
    return result;
  }

  DOVETAIL_IF_INTEGER friend constexpr marray operator~(const marray &operand) {
    marray result;
    for (std::size_t i = 0; i < NumElements; ++i)
      result[i] = static_cast<DataT>(~operand.elements[i]);
    return result;
  }
#undef DOVETAIL_IF_INTEGER

  friend constexpr marray<bool, NumElements> operator!(const marray &operand) {
    return operand == DataT(0);
  }

  friend constexpr marray &operator++(marray &operand) { return operand += DataT(1); }
  friend constexpr marray &operator--(marray &operand) { return operand -= DataT(1); }

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
  template <typename Argument> constexpr void append(std::size_t &at, const Argument &argument) {
    elements[at++] = static_cast<DataT>(argument);
  }
  template <typename Other, std::size_t Elements>
  constexpr void append(std::size_t &at, const marray<Other, Elements> &arguments) {
    for (std::size_t i = 0; i < Elements; ++i)
      elements[at++] = static_cast<DataT>(arguments[i]);
  }

  DataT elements[NumElements];
};

template <typename DataT, typename... Rest,
          std::enable_if_t<(std::is_same_v<DataT, Rest> && ...), int> = 0>
marray(DataT, Rest...) -> marray<DataT, 1 + sizeof...(Rest)>;

namespace detail {

template <typename DataT, std::size_t NumElements> struct number_group<marray<DataT, NumElements>> {
  static constexpr bool value = true;
  static constexpr std::size_t size = NumElements;
  using element = DataT;
  using type = marray<DataT, NumElements>;
  using truth = marray<bool, NumElements>;
  template <typename Other> using with = marray<Other, NumElements>;
};

} // namespace detail

using mbool2 = marray<bool, 2>;
using mbool3 = marray<bool, 3>;
using mbool4 = marray<bool, 4>;
using mbool8 = marray<bool, 8>;
using mbool16 = marray<bool, 16>;
#define DOVETAIL_ALIASES(NAME, TYPE)                                                               \
  using m##NAME##2 = marray<TYPE, 2>;                                                              \
  using m##NAME##3 = marray<TYPE, 3>;                                                              \
  using m##NAME##4 = marray<TYPE, 4>;                                                              \
  using m##NAME##8 = marray<TYPE, 8>;                                                              \
  using m##NAME##16 = marray<TYPE, 16>;
#include <sycl/detail/number_aliases.inc>

} // namespace _V1
} // namespace sycl

// marray: an array of numbers with element-wise operators. Unlike vec, it can have any size, and
// its alignment is that of its elements.
#pragma once

#include <cstddef>
#include <sycl/builtins/vec_functions.hpp>
#include <sycl/detail/vec_traits.hpp>
#include <sycl/half.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {

template <typename DataT, std::size_t NumElements> class marray {
  template <typename OtherT> using if_integer = std::enable_if_t<!detail::is_floating<OtherT>, int>;

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

  template <typename... Arguments,
            std::enable_if_t<sizeof...(Arguments) == NumElements && (NumElements > 1) &&
                                 (std::is_convertible_v<Arguments, DataT> && ...),
                             int> = 0>
  constexpr marray(const Arguments &...arguments) : elements{static_cast<DataT>(arguments)...} {}

  constexpr marray(const marray &) = default;
  constexpr marray &operator=(const marray &) = default;

  constexpr marray &operator=(const DataT &all) { return *this = marray(all); }

  // An array of one element converts to a scalar.
  template <std::size_t Elements = NumElements, std::enable_if_t<Elements == 1, int> = 0>
  constexpr operator DataT() const {
    return elements[0];
  }

  static constexpr std::size_t size() noexcept { return NumElements; }

  constexpr reference operator[](std::size_t index) { return elements[index]; }
  constexpr const_reference operator[](std::size_t index) const { return elements[index]; }

  constexpr iterator begin() { return elements; }
  constexpr const_iterator begin() const { return elements; }
  constexpr iterator end() { return elements + NumElements; }
  constexpr const_iterator end() const { return elements + NumElements; }

  // Small types are promoted to int on the way, hence the conversion back.
#define DOVETAIL_OPERATOR(OP, RESULT, ...)                                                         \
  __VA_ARGS__                                                                                      \
  friend constexpr marray<RESULT, NumElements> operator OP(const marray &left,                     \
                                                           const marray &right) {                  \
    marray<RESULT, NumElements> result;                                                            \
    for (std::size_t i = 0; i < NumElements; ++i)                                                  \
      result[i] = static_cast<RESULT>(left.elements[i] OP right.elements[i]);                      \
    return result;                                                                                 \
  }                                                                                                \
  __VA_ARGS__                                                                                      \
  friend constexpr marray<RESULT, NumElements> operator OP(const marray &left,                     \
                                                           const DataT &right) {                   \
    return left OP marray(right);                                                                  \
  }                                                                                                \
  __VA_ARGS__                                                                                      \
  friend constexpr marray<RESULT, NumElements> operator OP(const DataT &left,                      \
                                                           const marray &right) {                  \
    return marray(left) OP right;                                                                  \
  }
#define DOVETAIL_ASSIGNMENT(OP, ...)                                                               \
  DOVETAIL_OPERATOR(OP, DataT, __VA_ARGS__)                                                        \
  __VA_ARGS__                                                                                      \
  friend constexpr marray &operator OP## = (marray & left, const marray &right) {                  \
    return left = left OP right;                                                                   \
  }                                                                                                \
  __VA_ARGS__                                                                                      \
  friend constexpr marray &operator OP## = (marray & left, const DataT &right) {                   \
    return left = left OP right;                                                                   \
  }
#define DOVETAIL_IF_INTEGER template <typename OtherT = DataT, if_integer<OtherT> = 0>
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
};

} // namespace detail
} // namespace _V1
} // namespace sycl

// vec: a vector of numbers with element-wise operators.
#pragma once

#include <cstddef>
#include <cstdint>
#include <sycl/builtins/geometric_functions.hpp>
#include <sycl/builtins/vec_functions.hpp>
#include <sycl/detail/deprecated.hpp>
#include <sycl/detail/vec_elements.hpp>
#include <sycl/detail/vec_swizzle.hpp>
#include <sycl/detail/vec_traits.hpp>
#include <sycl/half.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {

// The places of elements, as arguments of vec::swizzle.
struct elem {
  static constexpr int x = 0;
  static constexpr int y = 1;
  static constexpr int z = 2;
  static constexpr int w = 3;
  static constexpr int r = 0;
  static constexpr int g = 1;
  static constexpr int b = 2;
  static constexpr int a = 3;
  static constexpr int s0 = 0;
  static constexpr int s1 = 1;
  static constexpr int s2 = 2;
  static constexpr int s3 = 3;
  static constexpr int s4 = 4;
  static constexpr int s5 = 5;
  static constexpr int s6 = 6;
  static constexpr int s7 = 7;
  static constexpr int s8 = 8;
  static constexpr int s9 = 9;
  static constexpr int sA = 10;
  static constexpr int sB = 11;
  static constexpr int sC = 12;
  static constexpr int sD = 13;
  static constexpr int sE = 14;
  static constexpr int sF = 15;
};

// Elements are contiguous. Operators apply to each element separately; the optimizer forms vector
// instructions.
template <typename DataT, int NumElements>
class alignas(detail::vec_alignment<DataT, NumElements>) vec
    : public detail::vec_elements<vec<DataT, NumElements>, DataT, NumElements> {
  static_assert(detail::is_vec_size<NumElements>, "a vec has 1, 2, 3, 4, 8 or 16 elements");
  static_assert(detail::is_vec_element<DataT>, "the elements of a vec are numbers");

  using truth = vec<detail::truth_t<DataT>, NumElements>;

  // Arguments that together initialize all elements, except a single one for other constructors.
  template <typename... Arguments>
  static constexpr bool give_all =
      (detail::gives_elements<DataT, Arguments> && ...) &&
      (detail::element_count<Arguments> + ... + 0) == NumElements && sizeof...(Arguments) >= 2;

  template <typename OtherT> using if_integer = std::enable_if_t<!detail::is_floating<OtherT>, int>;
  template <typename Scalar> using if_scalar = detail::if_scalar_of<DataT, Scalar>;

public:
  using element_type = DataT;
  using value_type = DataT;

  // Elements of a default vector have no value yet.
  vec() = default;
  constexpr vec(const vec &) = default;
  constexpr vec &operator=(const vec &) = default;

  template <int Elements = NumElements, std::enable_if_t<Elements != 1, int> = 0>
  explicit constexpr vec(const DataT &all) : elements{} {
    for (DataT &element : elements)
      element = all;
  }

  template <int Elements = NumElements, std::enable_if_t<Elements == 1, int> = 0>
  constexpr vec(const DataT &all) : elements{all} {}

  // In braces, a number of another type would otherwise be a narrowing conversion.
  template <typename Scalar, int Elements = NumElements,
            std::enable_if_t<Elements != 1 && detail::is_other_number<DataT, Scalar>, int> = 0>
  explicit constexpr vec(const Scalar &all) : vec(static_cast<DataT>(all)) {}

  template <typename Scalar, int Elements = NumElements,
            std::enable_if_t<Elements == 1 && detail::is_other_number<DataT, Scalar>, int> = 0>
  constexpr vec(const Scalar &all) : vec(static_cast<DataT>(all)) {}

  template <typename... Arguments, std::enable_if_t<give_all<Arguments...>, int> = 0>
  constexpr vec(const Arguments &...arguments) : elements{} {
    int at = 0;
    (append(at, arguments), ...);
  }

  template <int Elements = NumElements, std::enable_if_t<Elements != 1, int> = 0>
  constexpr vec &operator=(const DataT &all) {
    return *this = vec(all);
  }

  constexpr DataT &operator[](int index) { return elements[index]; }
  constexpr const DataT &operator[](int index) const { return elements[index]; }

  // Small types are promoted to int on the way, hence the conversion back.
#define DOVETAIL_BINARY(OP, CONDITION, SCALAR_CONDITION)                                           \
  CONDITION                                                                                        \
  friend constexpr vec operator OP(const vec &left, const vec &right) {                            \
    vec result{};                                                                                  \
    for (int i = 0; i < NumElements; ++i)                                                          \
      result.elements[i] = static_cast<DataT>(left.elements[i] OP right.elements[i]);              \
    return result;                                                                                 \
  }                                                                                                \
  SCALAR_CONDITION                                                                                 \
  friend constexpr vec operator OP(const vec &left, const Scalar &right) {                         \
    vec result{};                                                                                  \
    for (int i = 0; i < NumElements; ++i)                                                          \
      result.elements[i] = static_cast<DataT>(left.elements[i] OP static_cast<DataT>(right));      \
    return result;                                                                                 \
  }                                                                                                \
  SCALAR_CONDITION                                                                                 \
  friend constexpr vec operator OP(const Scalar &left, const vec &right) {                         \
    vec result{};                                                                                  \
    for (int i = 0; i < NumElements; ++i)                                                          \
      result.elements[i] = static_cast<DataT>(static_cast<DataT>(left) OP right.elements[i]);      \
    return result;                                                                                 \
  }                                                                                                \
  CONDITION                                                                                        \
  friend constexpr vec &operator OP## = (vec & left, const vec &right) {                           \
    return left = left OP right;                                                                   \
  }                                                                                                \
  SCALAR_CONDITION                                                                                 \
  friend constexpr vec &operator OP## = (vec & left, const Scalar &right) {                        \
    return left = left OP right;                                                                   \
  }
#define DOVETAIL_IF_SCALAR template <typename Scalar, if_scalar<Scalar> = 0>
#define DOVETAIL_IF_INTEGER template <typename OtherT = DataT, if_integer<OtherT> = 0>
#define DOVETAIL_IF_INTEGER_AND_SCALAR                                                             \
  template <typename Scalar, typename OtherT = DataT, if_integer<OtherT> = 0, if_scalar<Scalar> = 0>
  DOVETAIL_BINARY(+, , DOVETAIL_IF_SCALAR)
  DOVETAIL_BINARY(-, , DOVETAIL_IF_SCALAR)
  DOVETAIL_BINARY(*, , DOVETAIL_IF_SCALAR)
  DOVETAIL_BINARY(/, , DOVETAIL_IF_SCALAR)
  DOVETAIL_BINARY(%, DOVETAIL_IF_INTEGER, DOVETAIL_IF_INTEGER_AND_SCALAR)
  DOVETAIL_BINARY(&, DOVETAIL_IF_INTEGER, DOVETAIL_IF_INTEGER_AND_SCALAR)
  DOVETAIL_BINARY(|, DOVETAIL_IF_INTEGER, DOVETAIL_IF_INTEGER_AND_SCALAR)
  DOVETAIL_BINARY(^, DOVETAIL_IF_INTEGER, DOVETAIL_IF_INTEGER_AND_SCALAR)
  DOVETAIL_BINARY(<<, DOVETAIL_IF_INTEGER, DOVETAIL_IF_INTEGER_AND_SCALAR)
  DOVETAIL_BINARY(>>, DOVETAIL_IF_INTEGER, DOVETAIL_IF_INTEGER_AND_SCALAR)
#undef DOVETAIL_BINARY
#undef DOVETAIL_IF_INTEGER_AND_SCALAR

  // True has all bits set, as select and the mask operators require.
#define DOVETAIL_QUESTION_OPERATOR(OP)                                                             \
  friend constexpr truth operator OP(const vec &left, const vec &right) {                          \
    truth result{};                                                                                \
    for (int i = 0; i < NumElements; ++i)                                                          \
      result[i] = left.elements[i] OP right.elements[i] ? -1 : 0;                                  \
    return result;                                                                                 \
  }                                                                                                \
  DOVETAIL_IF_SCALAR                                                                               \
  friend constexpr truth operator OP(const vec &left, const Scalar &right) {                       \
    truth result{};                                                                                \
    for (int i = 0; i < NumElements; ++i)                                                          \
      result[i] = left.elements[i] OP static_cast<DataT>(right) ? -1 : 0;                          \
    return result;                                                                                 \
  }                                                                                                \
  DOVETAIL_IF_SCALAR                                                                               \
  friend constexpr truth operator OP(const Scalar &left, const vec &right) {                       \
    truth result{};                                                                                \
    for (int i = 0; i < NumElements; ++i)                                                          \
      result[i] = static_cast<DataT>(left) OP right.elements[i] ? -1 : 0;                          \
    return result;                                                                                 \
  }
  DOVETAIL_QUESTION_OPERATOR(==)
  DOVETAIL_QUESTION_OPERATOR(!=)
  DOVETAIL_QUESTION_OPERATOR(<)
  DOVETAIL_QUESTION_OPERATOR(>)
  DOVETAIL_QUESTION_OPERATOR(<=)
  DOVETAIL_QUESTION_OPERATOR(>=)
  DOVETAIL_QUESTION_OPERATOR(&&)
  DOVETAIL_QUESTION_OPERATOR(||)
#undef DOVETAIL_QUESTION_OPERATOR
#undef DOVETAIL_IF_SCALAR

  friend constexpr vec operator+(const vec &operand) { return operand; }

  friend constexpr vec operator-(const vec &operand) {
    vec result{};
    for (int i = 0; i < NumElements; ++i)
      result.elements[i] = static_cast<DataT>(-operand.elements[i]);
    return result;
  }

  DOVETAIL_IF_INTEGER friend constexpr vec operator~(const vec &operand) {
    vec result{};
    for (int i = 0; i < NumElements; ++i)
      result.elements[i] = static_cast<DataT>(~operand.elements[i]);
    return result;
  }
#undef DOVETAIL_IF_INTEGER

  friend constexpr truth operator!(const vec &operand) { return operand == DataT(0); }

  friend constexpr vec &operator++(vec &operand) { return operand += DataT(1); }
  friend constexpr vec &operator--(vec &operand) { return operand -= DataT(1); }

  friend constexpr vec operator++(vec &operand, int) {
    vec before = operand;
    ++operand;
    return before;
  }

  friend constexpr vec operator--(vec &operand, int) {
    vec before = operand;
    --operand;
    return before;
  }

private:
  friend detail::vec_elements<vec, DataT, NumElements>;

  template <int... Chosen> constexpr auto choose() {
    return detail::vec_swizzle<vec, Chosen...>(*this);
  }
  template <int... Chosen> constexpr auto choose() const {
    return detail::vec_swizzle<const vec, Chosen...>(*this);
  }

  template <typename Argument> constexpr void append(int &at, const Argument &argument) {
    if constexpr (detail::is_number_group<Argument>) {
      for (std::size_t i = 0; i < detail::element_count<Argument>; ++i)
        elements[at++] = argument[static_cast<int>(i)];
    } else {
      elements[at++] = static_cast<DataT>(argument);
    }
  }

  // The fourth element of three is undefined.
  DataT elements[NumElements == 3 ? 4 : NumElements];
};

template <typename DataT, typename... Rest,
          std::enable_if_t<(std::is_same_v<DataT, Rest> && ...), int> = 0>
vec(DataT, Rest...) -> vec<DataT, 1 + sizeof...(Rest)>;

#define DOVETAIL_ALIASES(NAME, TYPE)                                                               \
  using NAME##2 = vec<TYPE, 2>;                                                                    \
  using NAME##3 = vec<TYPE, 3>;                                                                    \
  using NAME##4 = vec<TYPE, 4>;                                                                    \
  using NAME##8 = vec<TYPE, 8>;                                                                    \
  using NAME##16 = vec<TYPE, 16>;
#include <sycl/detail/number_aliases.inc>

#define DOVETAIL_ALIAS(NAME, TYPE, SIZE)                                                           \
  using NAME##SIZE DOVETAIL_DEPRECATED("use sycl::vec") = vec<TYPE, SIZE>;
#define DOVETAIL_ALIASES(NAME, TYPE)                                                               \
  DOVETAIL_ALIAS(cl_##NAME, TYPE, 2)                                                               \
  DOVETAIL_ALIAS(cl_##NAME, TYPE, 3)                                                               \
  DOVETAIL_ALIAS(cl_##NAME, TYPE, 4)                                                               \
  DOVETAIL_ALIAS(cl_##NAME, TYPE, 8)                                                               \
  DOVETAIL_ALIAS(cl_##NAME, TYPE, 16)
#include <sycl/detail/opencl_aliases.inc>
#undef DOVETAIL_ALIAS

} // namespace _V1
} // namespace sycl

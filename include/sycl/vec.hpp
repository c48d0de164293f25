// vec: a vector of numbers with element-wise operators.
#pragma once

#include <cstddef>
#include <cstdint>
#include <sycl/access/address_space.hpp>
#include <sycl/access/decorated.hpp>
#include <sycl/builtins/vec_functions.hpp>
#include <sycl/detail/vec_convert.hpp>
#include <sycl/detail/vec_swizzle.hpp>
#include <sycl/detail/vec_traits.hpp>
#include <sycl/half.hpp>
#include <sycl/multi_ptr.hpp>
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

// Elements are contiguous. Operators apply to each element separately; the optimiser forms vector
// instructions.
template <typename DataT, int NumElements>
class alignas(detail::vec_alignment<DataT, NumElements>) vec {
  static_assert(detail::is_vec_size<NumElements>, "a vec has 1, 2, 3, 4, 8 or 16 elements");
  static_assert(detail::is_vec_element<DataT>, "the elements of a vec are numbers");

  using truth = vec<detail::truth_t<DataT>, NumElements>;

  // Arguments that together initialize all elements, except a single one for other constructors.
  template <typename... Arguments>
  static constexpr bool give_all =
      (detail::gives_elements<DataT, Arguments> && ...) &&
      (detail::element_count<Arguments> + ... + 0) == NumElements && sizeof...(Arguments) >= 2;

  template <typename OtherT> using if_integer = std::enable_if_t<!detail::is_floating<OtherT>, int>;
  template <int... Chosen> using part = detail::swizzle<vec, Chosen...>;
  template <int... Chosen> using const_part = detail::swizzle<const vec, Chosen...>;

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

  template <typename... Arguments, std::enable_if_t<give_all<Arguments...>, int> = 0>
  constexpr vec(const Arguments &...arguments) : elements{} {
    int at = 0;
    (append(at, arguments), ...);
  }

  template <int Elements = NumElements, std::enable_if_t<Elements != 1, int> = 0>
  constexpr vec &operator=(const DataT &all) {
    return *this = vec(all);
  }

  // A vector of one element converts to a scalar.
  template <int Elements = NumElements, std::enable_if_t<Elements == 1, int> = 0>
  constexpr operator DataT() const {
    return elements[0];
  }

  static constexpr std::size_t size() noexcept { return NumElements; }
  static constexpr std::size_t byte_size() noexcept { return sizeof(vec); }

  [[deprecated("use size()")]] constexpr std::size_t get_count() const { return size(); }
  [[deprecated("use byte_size()")]] constexpr std::size_t get_size() const { return byte_size(); }

  constexpr DataT &operator[](int index) { return elements[index]; }
  constexpr const DataT &operator[](int index) const { return elements[index]; }

#define DOVETAIL_ELEMENT(NAME, INDEX, LIMIT)                                                       \
  template <int Elements = NumElements,                                                            \
            std::enable_if_t<(INDEX < Elements && Elements <= LIMIT), int> = 0>                    \
  constexpr DataT &NAME() {                                                                        \
    return elements[INDEX];                                                                        \
  }                                                                                                \
  template <int Elements = NumElements,                                                            \
            std::enable_if_t<(INDEX < Elements && Elements <= LIMIT), int> = 0>                    \
  constexpr const DataT &NAME() const {                                                            \
    return elements[INDEX];                                                                        \
  }
  DOVETAIL_ELEMENT(x, 0, 4)
  DOVETAIL_ELEMENT(y, 1, 4)
  DOVETAIL_ELEMENT(z, 2, 4)
  DOVETAIL_ELEMENT(w, 3, 4)
  DOVETAIL_ELEMENT(r, 0, 4)
  DOVETAIL_ELEMENT(g, 1, 4)
  DOVETAIL_ELEMENT(b, 2, 4)
  DOVETAIL_ELEMENT(a, 3, 4)
  DOVETAIL_ELEMENT(s0, 0, 16)
  DOVETAIL_ELEMENT(s1, 1, 16)
  DOVETAIL_ELEMENT(s2, 2, 16)
  DOVETAIL_ELEMENT(s3, 3, 16)
  DOVETAIL_ELEMENT(s4, 4, 16)
  DOVETAIL_ELEMENT(s5, 5, 16)
  DOVETAIL_ELEMENT(s6, 6, 16)
  DOVETAIL_ELEMENT(s7, 7, 16)
  DOVETAIL_ELEMENT(s8, 8, 16)
  DOVETAIL_ELEMENT(s9, 9, 16)
  DOVETAIL_ELEMENT(sA, 10, 16)
  DOVETAIL_ELEMENT(sB, 11, 16)
  DOVETAIL_ELEMENT(sC, 12, 16)
  DOVETAIL_ELEMENT(sD, 13, 16)
  DOVETAIL_ELEMENT(sE, 14, 16)
  DOVETAIL_ELEMENT(sF, 15, 16)
#undef DOVETAIL_ELEMENT

  template <int... Chosen> constexpr part<Chosen...> swizzle() {
    static_assert(((Chosen >= 0 && Chosen < NumElements) && ...), "the vector has no such element");
    return part<Chosen...>(*this);
  }
  template <int... Chosen> constexpr const_part<Chosen...> swizzle() const {
    static_assert(((Chosen >= 0 && Chosen < NumElements) && ...), "the vector has no such element");
    return const_part<Chosen...>(*this);
  }

  // The upper half of three elements is the third and an undefined one.
#define DOVETAIL_HALF(NAME, FIRST, STEP)                                                           \
  template <int Elements = NumElements, std::enable_if_t<Elements != 1, int> = 0>                  \
  constexpr auto NAME() {                                                                          \
    return detail::every<vec, FIRST, STEP, (Elements + 1) / 2>(*this);                             \
  }                                                                                                \
  template <int Elements = NumElements, std::enable_if_t<Elements != 1, int> = 0>                  \
  constexpr auto NAME() const {                                                                    \
    return detail::every<const vec, FIRST, STEP, (Elements + 1) / 2>(*this);                       \
  }
  DOVETAIL_HALF(lo, 0, 1)
  DOVETAIL_HALF(hi, (Elements + 1) / 2, 1)
  DOVETAIL_HALF(even, 0, 2)
  DOVETAIL_HALF(odd, 1, 2)
#undef DOVETAIL_HALF

#ifdef SYCL_SIMPLE_SWIZZLES
#include <sycl/detail/vec_simple_swizzles.inc>
#endif

  template <typename To, rounding_mode Mode = rounding_mode::automatic>
  constexpr vec<To, NumElements> convert() const {
    vec<To, NumElements> result{};
    for (int i = 0; i < NumElements; ++i)
      result[i] = detail::convert_number<To, Mode>(elements[i]);
    return result;
  }

  // The same bytes as another vector.
  template <typename Other> Other as() const {
    static_assert(sizeof(Other) == sizeof(vec), "the vectors differ in size");
    Other result;
    __builtin_memcpy(&result, this, sizeof(vec));
    return result;
  }

  // Elements are at `from + offset * NumElements`, with the alignment of a single element.
  void load(std::size_t offset, const DataT *from) {
    for (int i = 0; i < NumElements; ++i)
      elements[i] = from[offset * NumElements + i];
  }

  void store(std::size_t offset, DataT *to) const {
    for (int i = 0; i < NumElements; ++i)
      to[offset * NumElements + i] = elements[i];
  }

  template <access::address_space Space, access::decorated Decorated>
  void load(std::size_t offset, multi_ptr<const DataT, Space, Decorated> from) {
    for (int i = 0; i < NumElements; ++i)
      elements[i] = from[offset * NumElements + i];
  }

  template <access::address_space Space, access::decorated Decorated>
  void load(std::size_t offset, multi_ptr<DataT, Space, Decorated> from) {
    load(offset, multi_ptr<const DataT, Space, Decorated>(from));
  }

  template <access::address_space Space, access::decorated Decorated>
  void store(std::size_t offset, multi_ptr<DataT, Space, Decorated> to) const {
    for (int i = 0; i < NumElements; ++i)
      to[offset * NumElements + i] = elements[i];
  }

  // Small types are promoted to int on the way, hence the conversion back.
#define DOVETAIL_BINARY(OP, CONDITION)                                                             \
  CONDITION                                                                                        \
  friend constexpr vec operator OP(const vec &left, const vec &right) {                            \
    vec result{};                                                                                  \
    for (int i = 0; i < NumElements; ++i)                                                          \
      result.elements[i] = static_cast<DataT>(left.elements[i] OP right.elements[i]);              \
    return result;                                                                                 \
  }                                                                                                \
  CONDITION                                                                                        \
  friend constexpr vec operator OP(const vec &left, const DataT &right) {                          \
    vec result{};                                                                                  \
    for (int i = 0; i < NumElements; ++i)                                                          \
      result.elements[i] = static_cast<DataT>(left.elements[i] OP right);                          \
    return result;                                                                                 \
  }                                                                                                \
  CONDITION                                                                                        \
  friend constexpr vec operator OP(const DataT &left, const vec &right) {                          \
    vec result{};                                                                                  \
    for (int i = 0; i < NumElements; ++i)                                                          \
      result.elements[i] = static_cast<DataT>(left OP right.elements[i]);                          \
    return result;                                                                                 \
  }                                                                                                \
  CONDITION                                                                                        \
  friend constexpr vec &operator OP## = (vec & left, const vec &right) {                           \
    return left = left OP right;                                                                   \
  }                                                                                                \
  CONDITION                                                                                        \
  friend constexpr vec &operator OP## = (vec & left, const DataT &right) {                         \
    return left = left OP right;                                                                   \
  }
#define DOVETAIL_IF_INTEGER template <typename OtherT = DataT, if_integer<OtherT> = 0>
  DOVETAIL_BINARY(+, )
  DOVETAIL_BINARY(-, )
  DOVETAIL_BINARY(*, )
  DOVETAIL_BINARY(/, )
  DOVETAIL_BINARY(%, DOVETAIL_IF_INTEGER)
  DOVETAIL_BINARY(&, DOVETAIL_IF_INTEGER)
  DOVETAIL_BINARY(|, DOVETAIL_IF_INTEGER)
  DOVETAIL_BINARY(^, DOVETAIL_IF_INTEGER)
  DOVETAIL_BINARY(<<, DOVETAIL_IF_INTEGER)
  DOVETAIL_BINARY(>>, DOVETAIL_IF_INTEGER)
#undef DOVETAIL_BINARY

  // True has all bits set, as select and the mask operators require.
#define DOVETAIL_QUESTION_OPERATOR(OP)                                                             \
  friend constexpr truth operator OP(const vec &left, const vec &right) {                          \
    truth result{};                                                                                \
    for (int i = 0; i < NumElements; ++i)                                                          \
      result[i] = left.elements[i] OP right.elements[i] ? -1 : 0;                                  \
    return result;                                                                                 \
  }                                                                                                \
  friend constexpr truth operator OP(const vec &left, const DataT &right) {                        \
    truth result{};                                                                                \
    for (int i = 0; i < NumElements; ++i)                                                          \
      result[i] = left.elements[i] OP right ? -1 : 0;                                              \
    return result;                                                                                 \
  }                                                                                                \
  friend constexpr truth operator OP(const DataT &left, const vec &right) {                        \
    truth result{};                                                                                \
    for (int i = 0; i < NumElements; ++i)                                                          \
      result[i] = left OP right.elements[i] ? -1 : 0;                                              \
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
DOVETAIL_ALIASES(char, std::int8_t)
DOVETAIL_ALIASES(uchar, std::uint8_t)
DOVETAIL_ALIASES(short, std::int16_t)
DOVETAIL_ALIASES(ushort, std::uint16_t)
DOVETAIL_ALIASES(int, std::int32_t)
DOVETAIL_ALIASES(uint, std::uint32_t)
DOVETAIL_ALIASES(long, std::int64_t)
DOVETAIL_ALIASES(ulong, std::uint64_t)
DOVETAIL_ALIASES(half, half)
DOVETAIL_ALIASES(float, float)
DOVETAIL_ALIASES(double, double)
#undef DOVETAIL_ALIASES

} // namespace _V1
} // namespace sycl

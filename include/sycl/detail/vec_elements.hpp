// vec_elements: the elements of a vector by name, and what can be done with all of them: common to
// class vec and to swizzles, which give their elements by operator[] and choose<...>().
#pragma once

#include <cstddef>
#include <sycl/access/address_space.hpp>
#include <sycl/access/decorated.hpp>
#include <sycl/detail/deprecated.hpp>
#include <sycl/detail/single_element.hpp>
#include <sycl/detail/vec_convert.hpp>
#include <sycl/detail/vec_traits.hpp>
#include <sycl/multi_ptr.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {
namespace detail {

template <typename Derived, typename DataT, int NumElements>
class vec_elements : public single_element<Derived, DataT, NumElements> {
  constexpr Derived &self() { return static_cast<Derived &>(*this); }
  constexpr const Derived &self() const { return static_cast<const Derived &>(*this); }

  // `Count` elements, starting at `First`, with a stride of `Step`.
  template <int First, int Step, int Count, int... Indices, typename Vector>
  static constexpr auto every(Vector &vector) {
    if constexpr (sizeof...(Indices) == Count)
      return vector.template choose<Indices...>();
    else
      return every<First, Step, Count, Indices...,
                   First + Step *static_cast<int>(sizeof...(Indices))>(vector);
  }

  template <int... Chosen>
  static constexpr bool exist = ((Chosen >= 0 && Chosen < NumElements) && ...);

public:
  static constexpr std::size_t size() noexcept { return NumElements; }
  static constexpr std::size_t byte_size() noexcept { return sizeof(vec<DataT, NumElements>); }

  DOVETAIL_DEPRECATED("use size()") constexpr std::size_t get_count() const { return size(); }
  DOVETAIL_DEPRECATED("use byte_size()") constexpr std::size_t get_size() const {
    return byte_size();
  }

#define DOVETAIL_ELEMENT(NAME, INDEX, LIMIT)                                                       \
  template <int Elements = NumElements,                                                            \
            std::enable_if_t<(INDEX < Elements && Elements <= LIMIT), int> = 0>                    \
  constexpr auto &NAME() {                                                                         \
    return self()[INDEX];                                                                          \
  }                                                                                                \
  template <int Elements = NumElements,                                                            \
            std::enable_if_t<(INDEX < Elements && Elements <= LIMIT), int> = 0>                    \
  constexpr auto &NAME() const {                                                                   \
    return self()[INDEX];                                                                          \
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

  template <int... Chosen> constexpr auto swizzle() {
    static_assert(exist<Chosen...>, "the vector has no such element");
    return self().template choose<Chosen...>();
  }
  template <int... Chosen> constexpr auto swizzle() const {
    static_assert(exist<Chosen...>, "the vector has no such element");
    return self().template choose<Chosen...>();
  }

  // The upper half of three elements is the third and an undefined one.
#define DOVETAIL_HALF(NAME, FIRST, STEP)                                                           \
  template <int Elements = NumElements, std::enable_if_t<Elements != 1, int> = 0>                  \
  constexpr auto NAME() {                                                                          \
    return every<FIRST, STEP, (Elements + 1) / 2>(self());                                         \
  }                                                                                                \
  template <int Elements = NumElements, std::enable_if_t<Elements != 1, int> = 0>                  \
  constexpr auto NAME() const {                                                                    \
    return every<FIRST, STEP, (Elements + 1) / 2>(self());                                         \
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
      result[i] = detail::convert_number<To, Mode>(DataT(self()[i]));
    return result;
  }

  // The same bytes as another vector.
  template <typename Other> Other as() const {
    static_assert(sizeof(Other) == byte_size(), "the vectors differ in size");
    vec<DataT, NumElements> value = self();
    Other result;
    __builtin_memcpy(&result, &value, byte_size());
    return result;
  }

  // Elements are at `from + offset * NumElements`, with the alignment of a single element.
  void load(std::size_t offset, const DataT *from) { load_elements(offset, from); }
  void store(std::size_t offset, DataT *to) const { store_elements(offset, to); }

  template <access::address_space Space, access::decorated Decorated>
  void load(std::size_t offset, multi_ptr<const DataT, Space, Decorated> from) {
    load_elements(offset, from);
  }
  template <access::address_space Space, access::decorated Decorated>
  void load(std::size_t offset, multi_ptr<DataT, Space, Decorated> from) {
    load_elements(offset, from);
  }
  template <access::address_space Space, access::decorated Decorated>
  void store(std::size_t offset, multi_ptr<DataT, Space, Decorated> to) const {
    store_elements(offset, to);
  }

private:
  template <typename Pointer> void load_elements(std::size_t offset, Pointer from) {
    for (int i = 0; i < NumElements; ++i)
      self()[i] = from[offset * NumElements + i];
  }
  template <typename Pointer> void store_elements(std::size_t offset, Pointer to) const {
    for (int i = 0; i < NumElements; ++i)
      to[offset * NumElements + i] = self()[i];
  }
};

} // namespace detail
} // namespace _V1
} // namespace sycl

// multi_ptr: a pointer with an address space.
#pragma once

#include <cstddef>
#include <sycl/access/address_space.hpp>
#include <sycl/access/decorated.hpp>
#include <sycl/detail/decorated_type.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {

template <typename ElementType, access::address_space Space,
          access::decorated DecorateAddress = access::decorated::legacy>
class multi_ptr {
  using decorated_pointer = detail::decorated_ptr<ElementType, Space>;

  // Whether another multi_ptr converts to this one implicitly: const may be added, and all address
  // spaces except constant convert to generic.
  template <typename Other, access::address_space OtherSpace>
  static constexpr bool converts_from =
      std::is_convertible_v<Other (*)[], ElementType (*)[]> &&
      (OtherSpace == Space || Space == access::address_space::generic_space);

public:
  static constexpr bool is_decorated = DecorateAddress != access::decorated::no;
  static constexpr access::address_space address_space = Space;

  using value_type = ElementType;
  using pointer = std::conditional_t<is_decorated, decorated_pointer, ElementType *>;
  using reference = ElementType &;
  using difference_type = std::ptrdiff_t;

  constexpr multi_ptr() = default;
  constexpr multi_ptr(std::nullptr_t) {}

  // The address space is known from the pointer's type, so nothing has to be checked.
  explicit constexpr multi_ptr(decorated_pointer address) : address(address) {}

  template <typename Other, access::address_space OtherSpace, access::decorated OtherDecoration,
            std::enable_if_t<converts_from<Other, OtherSpace>, int> = 0>
  constexpr multi_ptr(const multi_ptr<Other, OtherSpace, OtherDecoration> &other)
      : address(other.get_decorated()) {}

  constexpr pointer get() const { return address; }
  constexpr decorated_pointer get_decorated() const { return address; }
  constexpr ElementType *get_raw() const { return address; }

  constexpr operator pointer() const { return get(); }

  constexpr reference operator*() const { return *address; }
  constexpr ElementType *operator->() const { return address; }
  constexpr reference operator[](difference_type index) const { return address[index]; }

  constexpr multi_ptr &operator++() { return *this += 1; }
  constexpr multi_ptr &operator--() { return *this -= 1; }

  constexpr multi_ptr operator++(int) {
    multi_ptr before = *this;
    ++*this;
    return before;
  }

  constexpr multi_ptr operator--(int) {
    multi_ptr before = *this;
    --*this;
    return before;
  }

  constexpr multi_ptr &operator+=(difference_type distance) {
    address += distance;
    return *this;
  }

  constexpr multi_ptr &operator-=(difference_type distance) {
    address -= distance;
    return *this;
  }

  friend constexpr multi_ptr operator+(multi_ptr left, difference_type distance) {
    return left += distance;
  }

  friend constexpr multi_ptr operator-(multi_ptr left, difference_type distance) {
    return left -= distance;
  }

  friend constexpr difference_type operator-(const multi_ptr &left, const multi_ptr &right) {
    return left.address - right.address;
  }

#define DOVETAIL_COMPARISON(OP)                                                                    \
  friend constexpr bool operator OP(const multi_ptr &left, const multi_ptr &right) {               \
    return left.address OP right.address;                                                          \
  }
  DOVETAIL_COMPARISON(==)
  DOVETAIL_COMPARISON(!=)
  DOVETAIL_COMPARISON(<)
  DOVETAIL_COMPARISON(>)
  DOVETAIL_COMPARISON(<=)
  DOVETAIL_COMPARISON(>=)
#undef DOVETAIL_COMPARISON

  // Without these the built-in comparison of pointers would do as well.
  friend constexpr bool operator==(const multi_ptr &left, std::nullptr_t) { return !left.address; }
  friend constexpr bool operator==(std::nullptr_t, const multi_ptr &right) {
    return !right.address;
  }
  friend constexpr bool operator!=(const multi_ptr &left, std::nullptr_t) { return left.address; }
  friend constexpr bool operator!=(std::nullptr_t, const multi_ptr &right) { return right.address; }

private:
  decorated_pointer address = nullptr;
};

template <typename ElementType, access::decorated DecorateAddress = access::decorated::legacy>
using global_ptr = multi_ptr<ElementType, access::address_space::global_space, DecorateAddress>;

template <typename ElementType, access::decorated DecorateAddress = access::decorated::legacy>
using local_ptr = multi_ptr<ElementType, access::address_space::local_space, DecorateAddress>;

template <typename ElementType, access::decorated DecorateAddress = access::decorated::legacy>
using private_ptr = multi_ptr<ElementType, access::address_space::private_space, DecorateAddress>;

} // namespace _V1
} // namespace sycl

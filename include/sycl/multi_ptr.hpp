// multi_ptr: a pointer with an address space.
#pragma once

#include <cstddef>
#include <sycl/access/address_space.hpp>
#include <sycl/access/decorated.hpp>
#include <sycl/detail/decorated_type.hpp>
#include <sycl/detail/deprecated.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {

namespace detail {
// std::declval, without its header.
template <typename DataT> const DataT &value_of() noexcept;
} // namespace detail

template <typename ElementType, access::address_space Space,
          access::decorated DecorateAddress = access::decorated::legacy>
class multi_ptr {
  using decorated_pointer = detail::decorated_ptr<ElementType, Space>;
  static constexpr bool is_legacy = DecorateAddress == access::decorated::legacy;

  // Const may be added, and any type converts to void.
  template <typename Other>
  static constexpr bool takes =
      std::is_convertible_v<Other *, ElementType *> &&
      (std::is_void_v<ElementType> ||
       std::is_same_v<std::remove_cv_t<Other>, std::remove_cv_t<ElementType>>);

  // Whether another multi_ptr converts to this one implicitly: all address spaces convert to
  // generic.
  template <typename Other, access::address_space OtherSpace>
  static constexpr bool converts_from =
      takes<Other> && (OtherSpace == Space || Space == access::address_space::generic_space);

  // The reverse of these conversions is explicit.
  template <typename Other, access::address_space OtherSpace>
  static constexpr bool casts_from =
      !converts_from<Other, OtherSpace> &&
      (takes<Other> || (std::is_void_v<Other> && std::is_convertible_v<ElementType *, Other *>)) &&
      (OtherSpace == Space || OtherSpace == access::address_space::generic_space);

  // A pointer with or without the address space.
  template <typename Pointee>
  static constexpr bool is_address = takes<remove_decoration_t<Pointee>> &&
                                     (std::is_convertible_v<Pointee *, decorated_pointer> ||
                                      std::is_same_v<Pointee, remove_decoration_t<Pointee>>);

  template <typename Accessor>
  using pointer_of =
      decltype(detail::value_of<Accessor>().template get_multi_ptr<access::decorated::yes>());
  template <typename Accessor>
  using if_accessor = std::enable_if_t<
      converts_from<typename pointer_of<Accessor>::value_type, pointer_of<Accessor>::address_space>,
      int>;

public:
  static constexpr bool is_decorated = DecorateAddress != access::decorated::no;
  static constexpr access::address_space address_space = Space;

  using value_type = ElementType;
  using pointer = std::conditional_t<is_decorated, decorated_pointer, ElementType *>;
  using reference = std::add_lvalue_reference_t<ElementType>;
  using difference_type = std::ptrdiff_t;

  // Names of SYCL 1.2.1.
  using element_type = ElementType;
  using pointer_t = pointer;
  using const_pointer_t = detail::decorated_ptr<const ElementType, Space>;
  using reference_t = reference;
  using const_reference_t = std::add_lvalue_reference_t<const ElementType>;

  constexpr multi_ptr() = default;
  constexpr multi_ptr(std::nullptr_t) {}

  // That the address is in the address space is not checked. The legacy form is implicit.
  template <typename Pointee, std::enable_if_t<is_address<Pointee> && !is_legacy, int> = 0>
  explicit constexpr multi_ptr(Pointee *address) : address((decorated_pointer)(address)) {}
  template <typename Pointee, std::enable_if_t<is_address<Pointee> && is_legacy, int> = 0>
  constexpr multi_ptr(Pointee *address) : address((decorated_pointer)(address)) {}

  template <typename Other, access::address_space OtherSpace, access::decorated OtherDecoration,
            std::enable_if_t<converts_from<Other, OtherSpace>, int> = 0>
  constexpr multi_ptr(const multi_ptr<Other, OtherSpace, OtherDecoration> &other)
      : address(other.get_decorated()) {}

  template <typename Other, access::address_space OtherSpace, access::decorated OtherDecoration,
            std::enable_if_t<casts_from<Other, OtherSpace>, int> = 0>
  explicit constexpr multi_ptr(const multi_ptr<Other, OtherSpace, OtherDecoration> &other)
      : address((decorated_pointer)(other.get_decorated())) {}

  // The start of an accessor's memory.
  template <typename Accessor, if_accessor<Accessor> = 0>
  constexpr multi_ptr(const Accessor &accessor)
      : multi_ptr(accessor.template get_multi_ptr<access::decorated::yes>()) {}

  constexpr pointer get() const { return address; }
  constexpr decorated_pointer get_decorated() const { return address; }
  constexpr ElementType *get_raw() const { return address; }

  constexpr operator pointer() const { return get(); }

  // A hint, which has no effect.
  void prefetch(std::size_t) const {
    static_assert(Space == access::address_space::global_space, "only global memory is prefetched");
  }

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
  }                                                                                                \
  friend constexpr bool operator OP(const multi_ptr &left, std::nullptr_t) {                       \
    return left.address OP decorated_pointer(nullptr);                                             \
  }                                                                                                \
  friend constexpr bool operator OP(std::nullptr_t, const multi_ptr &right) {                      \
    return decorated_pointer(nullptr) OP right.address;                                            \
  }
  DOVETAIL_COMPARISON(==)
  DOVETAIL_COMPARISON(!=)
  DOVETAIL_COMPARISON(<)
  DOVETAIL_COMPARISON(>)
  DOVETAIL_COMPARISON(<=)
  DOVETAIL_COMPARISON(>=)
#undef DOVETAIL_COMPARISON

private:
  decorated_pointer address = nullptr;
};

template <typename Accessor,
          typename Pointer = decltype(detail::value_of<Accessor>()
                                          .template get_multi_ptr<access::decorated::no>())>
multi_ptr(const Accessor &)
    -> multi_ptr<typename Pointer::value_type, Pointer::address_space, access::decorated::no>;

#define DOVETAIL_POINTER(NAME, SPACE)                                                              \
  template <typename ElementType, access::decorated DecorateAddress = access::decorated::legacy>   \
  using NAME##_ptr = multi_ptr<ElementType, access::address_space::SPACE, DecorateAddress>;        \
  template <typename ElementType>                                                                  \
  using raw_##NAME##_ptr =                                                                         \
      multi_ptr<ElementType, access::address_space::SPACE, access::decorated::no>;                 \
  template <typename ElementType>                                                                  \
  using decorated_##NAME##_ptr =                                                                   \
      multi_ptr<ElementType, access::address_space::SPACE, access::decorated::yes>;
DOVETAIL_POINTER(global, global_space)
DOVETAIL_POINTER(local, local_space)
DOVETAIL_POINTER(private, private_space)
DOVETAIL_POINTER(generic, generic_space)
#undef DOVETAIL_POINTER

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
template <typename ElementType, access::decorated DecorateAddress = access::decorated::legacy>
using constant_ptr DOVETAIL_DEPRECATED("SYCL 2020 has no constant address space") =
    multi_ptr<ElementType, access::address_space::constant_space, DecorateAddress>;
#pragma clang diagnostic pop

// The address is in the address space, which is not checked.
template <access::address_space Space, access::decorated DecorateAddress, typename Pointee>
constexpr multi_ptr<remove_decoration_t<Pointee>, Space, DecorateAddress>
address_space_cast(Pointee *address) {
  return multi_ptr<remove_decoration_t<Pointee>, Space, DecorateAddress>(address);
}

template <typename ElementType, access::address_space Space,
          access::decorated DecorateAddress = access::decorated::legacy, typename Pointer>
DOVETAIL_DEPRECATED("use address_space_cast")
constexpr multi_ptr<ElementType, Space, DecorateAddress> make_ptr(Pointer address) {
  return multi_ptr<ElementType, Space, DecorateAddress>(address);
}

} // namespace _V1
} // namespace sycl

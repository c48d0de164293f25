// annotated_ref: a reference to the object of an annotated_ptr. It reads and writes values; its
// address is not accessible.
#pragma once

#include <type_traits>

namespace sycl {
inline namespace _V1 {
namespace ext::oneapi::experimental {

template <typename DataT, typename List> class annotated_ptr;

template <typename DataT, typename List> class annotated_ref {
  static_assert(std::is_trivially_copyable_v<DataT>, "an annotated_ref copies values as bytes");
  using value = std::remove_const_t<DataT>;

public:
  annotated_ref(const annotated_ref &) = delete;

  operator value() const { return *address; }

  // Assigns to the referenced object, also from another reference.
  value operator=(const value &given) const { return *address = given; }
  value operator=(const annotated_ref &other) const { return *address = other; }
  template <typename Other, typename OtherList>
  value operator=(const annotated_ref<Other, OtherList> &other) const {
    return *address = static_cast<std::remove_const_t<Other>>(other);
  }

#define DOVETAIL_COMPOUND(OPERATOR)                                                                \
  template <typename Other> value operator OPERATOR(const Other &other) const {                    \
    return *address OPERATOR other;                                                                \
  }
  DOVETAIL_COMPOUND(+=)
  DOVETAIL_COMPOUND(-=)
  DOVETAIL_COMPOUND(*=)
  DOVETAIL_COMPOUND(/=)
  DOVETAIL_COMPOUND(%=)
  DOVETAIL_COMPOUND(&=)
  DOVETAIL_COMPOUND(|=)
  DOVETAIL_COMPOUND(^=)
  DOVETAIL_COMPOUND(<<=)
  DOVETAIL_COMPOUND(>>=)
#undef DOVETAIL_COMPOUND

  value operator++() const { return ++*address; }
  value operator++(int) const { return (*address)++; }
  value operator--() const { return --*address; }
  value operator--(int) const { return (*address)--; }

private:
  template <typename, typename> friend class annotated_ptr;

  explicit annotated_ref(DataT *address) : address(address) {}

  DataT *address;
};

} // namespace ext::oneapi::experimental
} // namespace _V1
} // namespace sycl

// static_address_cast: a pointer with an address space that it is known to be in.
#pragma once

#include <sycl/access/address_space.hpp>
#include <sycl/access/decorated.hpp>
#include <sycl/multi_ptr.hpp>

namespace sycl {
inline namespace _V1 {
namespace ext::oneapi::experimental {

template <access::address_space Space, typename ElementType>
constexpr multi_ptr<ElementType, Space, access::decorated::no>
static_address_cast(ElementType *address) {
  return multi_ptr<ElementType, Space, access::decorated::no>(address);
}
template <access::address_space Space, typename ElementType, access::decorated DecorateAddress>
constexpr multi_ptr<ElementType, Space, DecorateAddress> static_address_cast(
    multi_ptr<ElementType, access::address_space::generic_space, DecorateAddress> address) {
  return multi_ptr<ElementType, Space, DecorateAddress>(address);
}

} // namespace ext::oneapi::experimental
} // namespace _V1
} // namespace sycl

// decorated_type: an element type together with the address space it lies in.
#pragma once

#include <sycl/access/address_space.hpp>

namespace sycl {
inline namespace _V1 {
namespace detail {

template <typename DataT, access::address_space Space> struct decorated_type {
  using type = DataT;
};

// The host has one address space.
#ifdef __SYCL_DEVICE_ONLY__
template <typename DataT> struct decorated_type<DataT, access::address_space::private_space> {
  using type = __attribute__((opencl_private)) DataT;
};

template <typename DataT> struct decorated_type<DataT, access::address_space::global_space> {
  using type = __attribute__((opencl_global)) DataT;
};

template <typename DataT> struct decorated_type<DataT, access::address_space::local_space> {
  using type = __attribute__((opencl_local)) DataT;
};
#endif

template <typename DataT, access::address_space Space>
using decorated_ptr = typename decorated_type<DataT, Space>::type *;

} // namespace detail
} // namespace _V1
} // namespace sycl

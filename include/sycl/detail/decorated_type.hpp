// decorated_type: an element type together with the address space it lies in.
#pragma once

#include <sycl/access/address_space.hpp>

namespace sycl {
inline namespace _V1 {
namespace detail {

template <typename T, access::address_space Space> struct decorated_type {
  using type = T;
};

// The host has one address space.
#ifdef __SYCL_DEVICE_ONLY__
template <typename T> struct decorated_type<T, access::address_space::private_space> {
  using type = __attribute__((opencl_private)) T;
};

template <typename T> struct decorated_type<T, access::address_space::global_space> {
  using type = __attribute__((opencl_global)) T;
};

template <typename T> struct decorated_type<T, access::address_space::local_space> {
  using type = __attribute__((opencl_local)) T;
};
#endif

template <typename T, access::address_space Space>
using decorated_ptr = typename decorated_type<T, Space>::type *;

} // namespace detail
} // namespace _V1
} // namespace sycl

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

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
// Constant memory is global memory that kernels do not write.
template <typename DataT>
struct decorated_type<DataT, access::address_space::constant_space>
    : decorated_type<DataT, access::address_space::global_space> {};
#pragma clang diagnostic pop
#endif

template <typename DataT, access::address_space Space>
using decorated_ptr = typename decorated_type<DataT, Space>::type *;

} // namespace detail

// The same type without an address space.
template <typename DataT> struct remove_decoration {
  using type = DataT;
};
#ifdef __SYCL_DEVICE_ONLY__
template <typename DataT> struct remove_decoration<__attribute__((opencl_private)) DataT> {
  using type = DataT;
};
template <typename DataT> struct remove_decoration<__attribute__((opencl_global)) DataT> {
  using type = DataT;
};
template <typename DataT> struct remove_decoration<__attribute__((opencl_local)) DataT> {
  using type = DataT;
};
#endif
template <typename DataT> struct remove_decoration<DataT *> {
  using type = typename remove_decoration<DataT>::type *;
};
template <typename DataT> struct remove_decoration<DataT *const> {
  using type = typename remove_decoration<DataT>::type *const;
};
template <typename DataT> struct remove_decoration<DataT &> {
  using type = typename remove_decoration<DataT>::type &;
};
template <typename DataT> using remove_decoration_t = typename remove_decoration<DataT>::type;
} // namespace _V1
} // namespace sycl

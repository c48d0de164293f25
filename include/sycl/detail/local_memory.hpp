// allocate_local: a static allocation of local memory, at its place in the kernel.
#pragma once

#include <cstddef>
#include <sycl/access/address_space.hpp>
#include <sycl/detail/decorated_type.hpp>

#ifdef __SYCL_DEVICE_ONLY__
#include <sycl/external.hpp>

// Not defined: a pass replaces each call with a separate variable in local memory. Both arguments
// must be constants then. The function is not `const`, since merging calls would merge variables.
extern "C" SYCL_EXTERNAL __attribute__((opencl_local)) unsigned char *
__sycl_allocateLocalMemory(std::size_t size, std::size_t alignment) noexcept;
#else
#include <sycl/detail/device_only.hpp>
#endif

namespace sycl {
inline namespace _V1 {
namespace detail {

// Always inlined, so that each allocation in a kernel is a separate call.
template <typename DataT>
[[gnu::always_inline]] inline decorated_ptr<DataT, access::address_space::local_space>
allocate_local() {
#ifdef __SYCL_DEVICE_ONLY__
  return reinterpret_cast<decorated_ptr<DataT, access::address_space::local_space>>(
      ::__sycl_allocateLocalMemory(sizeof(DataT), alignof(DataT)));
#else
  device_only();
#endif
}

} // namespace detail
} // namespace _V1
} // namespace sycl

// access::address_space: the memory region a pointer points into.
#pragma once

#include <sycl/detail/deprecated.hpp>

namespace sycl {
inline namespace _V1 {
namespace access {

enum class address_space : int {
  private_space = 0,
  global_space = 1,
  constant_space DOVETAIL_DEPRECATED("SYCL 2020 has no constant address space") = 2,
  local_space = 3,
  generic_space = 4,
};

} // namespace access
} // namespace _V1
} // namespace sycl

// accessor_access: the handler's interface to accessors.
#pragma once

#include <cstdint>
#include <sycl/detail/memory_region.hpp>

namespace sycl {
inline namespace _V1 {

class handler;

namespace detail {

struct accessor_access {
  template <typename Accessor> static void require(handler &h, const Accessor &a) { a.require(h); }
  template <typename Accessor> static std::uint64_t handle(const Accessor &a) {
    return a.get_handle();
  }
  template <typename Accessor> static memory_region region(const Accessor &a) {
    return a.get_region();
  }
};

} // namespace detail
} // namespace _V1
} // namespace sycl

// dynamic_local_memory: the first member of a local_accessor. On the host it says how many bytes
// are wanted; on the device it points to them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <sycl/access/address_space.hpp>
#include <sycl/detail/decorated_type.hpp>
#include <type_traits>

#ifndef __SYCL_DEVICE_ONLY__
#include <sycl/detail/device_only.hpp>
#endif

namespace sycl {
inline namespace _V1 {
namespace detail {

template <typename DataT> class dynamic_local_memory {
public:
  using pointer = decorated_ptr<DataT, access::address_space::local_space>;

  dynamic_local_memory() = default;

  // Const may be added.
  template <typename Other, std::enable_if_t<std::is_same_v<const Other, const DataT>, int> = 0>
  dynamic_local_memory(const dynamic_local_memory<Other> &other) : value(other.value) {}

  friend bool operator==(const dynamic_local_memory &left, const dynamic_local_memory &right) {
    return left.value == right.value;
  }

#ifdef __SYCL_DEVICE_ONLY__
  // For command groups, which device compilations parse but do not generate code for.
  explicit dynamic_local_memory(std::size_t) {}

  pointer get() const { return value; }

private:
  using value_type = pointer;
#else
  // Devices refuse an argument without a size.
  explicit dynamic_local_memory(std::size_t size) : value(size ? size : 1) {}

  [[noreturn]] pointer get() const { device_only(); }

private:
  using value_type = std::uint64_t;
#endif

  template <typename> friend class dynamic_local_memory;

  // Eight bytes, even where a pointer to local memory has four.
  alignas(8) value_type value = 0;
};

static_assert(sizeof(dynamic_local_memory<int>) == 8, "the runtime reads eight bytes");

} // namespace detail
} // namespace _V1
} // namespace sycl

// buffer_memory: the first member of an accessor. On the host, it identifies the buffer; when a
// kernel is launched, the runtime replaces it with the address of the memory.
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

template <typename DataT> class buffer_memory {
public:
  using pointer = decorated_ptr<DataT, access::address_space::global_space>;

  buffer_memory() = default;

  // Const may be added.
  template <typename Other, std::enable_if_t<std::is_same_v<const Other, const DataT>, int> = 0>
  buffer_memory(const buffer_memory<Other> &other) : value(other.value) {}

  friend bool operator==(const buffer_memory &left, const buffer_memory &right) {
    return left.value == right.value;
  }

#ifdef __SYCL_DEVICE_ONLY__
  // For command groups, which device compilations parse but do not generate code for.
  explicit buffer_memory(std::uint64_t) {}
  std::uint64_t get_handle() const;

  pointer get(std::size_t first) const {
    using byte = std::conditional_t<std::is_const_v<DataT>, const unsigned char, unsigned char>;
    using bytes = decorated_ptr<byte, access::address_space::global_space>;
    return reinterpret_cast<pointer>(reinterpret_cast<bytes>(value) + first);
  }

private:
  using value_type = pointer;
#else
  explicit buffer_memory(std::uint64_t handle) : value(handle) {}
  std::uint64_t get_handle() const { return value; }

  [[noreturn]] pointer get(std::size_t) const { device_only(); }

private:
  using value_type = std::uint64_t;
#endif

  template <typename> friend class buffer_memory;

  alignas(8) value_type value = 0;
};

static_assert(sizeof(buffer_memory<int>) == 8, "the runtime replaces eight bytes");

} // namespace detail
} // namespace _V1
} // namespace sycl

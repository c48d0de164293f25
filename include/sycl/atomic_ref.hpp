// atomic_ref: atomic operations on an object of 4 or 8 bytes.
#pragma once

#include <sycl/detail/atomic_fence.hpp>
#include <sycl/detail/atomic_ref_sized.hpp>

namespace sycl {
inline namespace _V1 {

template <typename DataT, memory_order DefaultOrder, memory_scope DefaultScope,
          access::address_space Space = access::address_space::generic_space>
class atomic_ref
    : public detail::atomic_ref_sized<DataT, sizeof(DataT), DefaultOrder, DefaultScope, Space> {
  using base = detail::atomic_ref_sized<DataT, sizeof(DataT), DefaultOrder, DefaultScope, Space>;

public:
  using base::base;
  using base::operator=;

  explicit atomic_ref(DataT &object) : base(object) {}
  atomic_ref(const atomic_ref &) noexcept = default;
  atomic_ref &operator=(const atomic_ref &) = delete;
};

} // namespace _V1
} // namespace sycl

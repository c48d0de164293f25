// nd_item<Dimensions>: the running work-item of a kernel that is launched over an nd_range.
#pragma once

#include <cstddef>
#include <sycl/access/fence_space.hpp>
#include <sycl/access/mode.hpp>
#include <sycl/detail/atomic_operations.hpp>
#include <sycl/detail/barrier.hpp>
#include <sycl/detail/deprecated.hpp>
#include <sycl/detail/linear_id.hpp>
#include <sycl/detail/work_item.hpp>
#include <sycl/device_event.hpp>
#include <sycl/group.hpp>
#include <sycl/id.hpp>
#include <sycl/memory_order.hpp>
#include <sycl/memory_scope.hpp>
#include <sycl/nd_range.hpp>
#include <sycl/range.hpp>
#include <sycl/sub_group.hpp>

namespace sycl {
inline namespace _V1 {

namespace detail {
struct nd_item_access;
}

// Has no members: it represents only the running work-item, whose position the device provides.
template <int Dimensions = 1> class nd_item {
public:
  static constexpr int dimensions = Dimensions;

  id<Dimensions> get_global_id() const { return detail::work_item::global_id<Dimensions>(); }
  std::size_t get_global_id(int dimension) const {
    return detail::work_item::global_id<Dimensions>(dimension);
  }
  // Counts from zero even if the launch has an offset.
  std::size_t get_global_linear_id() const {
    return detail::linear_id(get_global_id() - detail::work_item::global_offset<Dimensions>(),
                             get_global_range());
  }

  id<Dimensions> get_local_id() const { return detail::work_item::local_id<Dimensions>(); }
  std::size_t get_local_id(int dimension) const {
    return detail::work_item::local_id<Dimensions>(dimension);
  }
  std::size_t get_local_linear_id() const { return get_group().get_local_linear_id(); }

  group<Dimensions> get_group() const { return detail::group_access::make<Dimensions>(); }
  std::size_t get_group(int dimension) const {
    return detail::work_item::group_id<Dimensions>(dimension);
  }
  std::size_t get_group_linear_id() const { return get_group().get_group_linear_id(); }

  sub_group get_sub_group() const { return detail::sub_group_access::make(); }

  range<Dimensions> get_group_range() const { return detail::work_item::group_range<Dimensions>(); }
  std::size_t get_group_range(int dimension) const {
    return detail::work_item::group_range<Dimensions>(dimension);
  }

  range<Dimensions> get_global_range() const {
    return detail::work_item::global_range<Dimensions>();
  }
  std::size_t get_global_range(int dimension) const {
    return detail::work_item::global_range<Dimensions>(dimension);
  }

  range<Dimensions> get_local_range() const { return detail::work_item::local_range<Dimensions>(); }
  std::size_t get_local_range(int dimension) const {
    return detail::work_item::local_range<Dimensions>(dimension);
  }

  DOVETAIL_DEPRECATED("SYCL 2020 deprecates offsets") id<Dimensions> get_offset() const {
    return detail::work_item::global_offset<Dimensions>();
  }

  nd_range<Dimensions> get_nd_range() const {
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
    return nd_range<Dimensions>(get_global_range(), get_local_range(), get_offset());
#pragma clang diagnostic pop
  }

  DOVETAIL_DEPRECATED("use sycl::group_barrier")
  void barrier(access::fence_space space = access::fence_space::global_and_local) const {
    detail::barrier(memory_scope::work_group, memory_scope::work_group, space);
  }

  // As for a group.
  template <typename To, typename From>
  device_event async_work_group_copy(To to, From from, std::size_t count,
                                     std::size_t stride = 1) const {
    return get_group().async_work_group_copy(to, from, count, stride);
  }
  template <typename... Events> void wait_for(Events... events) const {
    get_group().wait_for(events...);
  }

  // Orders accesses of the work-item.
  template <access_mode Mode = access_mode::read_write>
  DOVETAIL_DEPRECATED("use sycl::atomic_fence")
  void mem_fence(access::fence_space = access::fence_space::global_and_local) const {
    static_assert(Mode == access_mode::read || Mode == access_mode::write ||
                      Mode == access_mode::read_write,
                  "a fence orders reads, writes or both");
    detail::atomic::fence(memory_order::acq_rel, memory_scope::work_group);
  }

  friend constexpr bool operator==(const nd_item &, const nd_item &) { return true; }
  friend constexpr bool operator!=(const nd_item &, const nd_item &) { return false; }

private:
  friend struct detail::nd_item_access;

  // Not defaulted: see group.
  constexpr nd_item() {}
};

namespace detail {

// The only way to create an nd_item; users receive theirs from the launch or this_work_item. The
// result is const for kernels that take `auto &`.
struct nd_item_access {
  template <int Dimensions> static constexpr const nd_item<Dimensions> make() {
    return nd_item<Dimensions>();
  }
};

} // namespace detail
} // namespace _V1
} // namespace sycl

// group<Dimensions>: the work-group of the running work-item.
#pragma once

#include <cstddef>
#include <sycl/access/address_space.hpp>
#include <sycl/access/decorated.hpp>
#include <sycl/access/fence_space.hpp>
#include <sycl/access/mode.hpp>
#include <sycl/detail/atomic_operations.hpp>
#include <sycl/detail/deprecated.hpp>
#include <sycl/detail/group_copy.hpp>
#include <sycl/detail/linear_id.hpp>
#include <sycl/detail/work_item.hpp>
#include <sycl/detail/work_item_scope.hpp>
#include <sycl/device_event.hpp>
#include <sycl/id.hpp>
#include <sycl/memory_order.hpp>
#include <sycl/memory_scope.hpp>
#include <sycl/multi_ptr.hpp>
#include <sycl/range.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {

namespace detail {
struct group_access;
}

// Has no members: it represents only the group of the running work-item.
template <int Dimensions = 1> class group {
public:
  using id_type = id<Dimensions>;
  using range_type = range<Dimensions>;
  using linear_id_type = std::size_t;

  static constexpr int dimensions = Dimensions;
  static constexpr memory_scope fence_scope = memory_scope::work_group;

  id_type get_group_id() const { return detail::work_item::group_id<Dimensions>(); }
  std::size_t get_group_id(int dimension) const {
    return detail::work_item::group_id<Dimensions>(dimension);
  }
  std::size_t operator[](int dimension) const { return get_group_id(dimension); }
  std::size_t get_group_linear_id() const {
    return detail::linear_id(get_group_id(), get_group_range());
  }

  range_type get_group_range() const { return detail::work_item::group_range<Dimensions>(); }
  std::size_t get_group_range(int dimension) const {
    return detail::work_item::group_range<Dimensions>(dimension);
  }
  std::size_t get_group_linear_range() const { return get_group_range().size(); }

  id_type get_local_id() const { return detail::work_item::local_id<Dimensions>(); }
  std::size_t get_local_id(int dimension) const {
    return detail::work_item::local_id<Dimensions>(dimension);
  }
  std::size_t get_local_linear_id() const {
    return detail::linear_id(get_local_id(), get_local_range());
  }

  range_type get_local_range() const { return detail::work_item::local_range<Dimensions>(); }
  std::size_t get_local_range(int dimension) const {
    return detail::work_item::local_range<Dimensions>(dimension);
  }
  std::size_t get_local_linear_range() const { return get_local_range().size(); }

  // SYCL launches work-groups of one size only, so none can be larger than this one.
  range_type get_max_local_range() const { return get_local_range(); }

  // Copies between local and global memory, in which elements may be `stride` apart. All work-items
  // make the call, with the same arguments, and wait for it.
  template <typename DataT, access::address_space ToSpace, access::decorated ToDecorated,
            typename SourceT, access::address_space FromSpace, access::decorated FromDecorated>
  device_event async_work_group_copy(multi_ptr<DataT, ToSpace, ToDecorated> to,
                                     multi_ptr<SourceT, FromSpace, FromDecorated> from,
                                     std::size_t count, std::size_t stride = 1) const {
    detail::copy_as_group(to, from, count, stride);
    return device_event();
  }
  template <typename... Events> void wait_for(Events...) const {
    static_assert((std::is_same_v<Events, device_event> && ...), "wait_for takes device_events");
    detail::wait_as_group();
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

  // In a hierarchical kernel: calls the function for each work-item of the group, or for each one
  // of a logical range.
  template <typename Function> void parallel_for_work_item(const Function &function) const {
    detail::run_items<Dimensions>(detail::private_frame(), function);
  }
  template <typename Function>
  void parallel_for_work_item(range<Dimensions> sizes, const Function &function) const {
    detail::run_logical_items<Dimensions>(detail::private_frame(), sizes, function);
  }

  DOVETAIL_DEPRECATED("use get_group_id()") id_type get_id() const { return get_group_id(); }
  DOVETAIL_DEPRECATED("use get_group_id()") std::size_t get_id(int dimension) const {
    return get_group_id(dimension);
  }
  DOVETAIL_DEPRECATED("use get_group_linear_id()") std::size_t get_linear_id() const {
    return get_group_linear_id();
  }
  DOVETAIL_DEPRECATED("use get_group_range() * get_max_local_range()")
  range_type get_global_range() const { return detail::work_item::global_range<Dimensions>(); }
  DOVETAIL_DEPRECATED("use get_group_range() * get_max_local_range()")
  std::size_t get_global_range(int dimension) const {
    return detail::work_item::global_range<Dimensions>(dimension);
  }

  bool leader() const { return get_local_linear_id() == 0; }

  friend constexpr bool operator==(const group &, const group &) { return true; }
  friend constexpr bool operator!=(const group &, const group &) { return false; }

private:
  friend struct detail::group_access;

  // Not defaulted: a class with a defaulted constructor is an aggregate in C++17, and anyone could
  // write group<1>{}.
  constexpr group() {}
};

namespace detail {

// The only way to create a group; users receive theirs from an nd_item or this_work_item.
struct group_access {
  template <int Dimensions> static constexpr const group<Dimensions> make() {
    return group<Dimensions>();
  }
};

} // namespace detail
} // namespace _V1
} // namespace sycl

// sub_group: the work-items of a work-group that the device runs together.
#pragma once

#include <cstdint>
#include <sycl/detail/work_item.hpp>
#include <sycl/id.hpp>
#include <sycl/memory_scope.hpp>
#include <sycl/range.hpp>

namespace sycl {
inline namespace _V1 {

namespace detail {
struct sub_group_access;
}

// Has no members, for the same reason as group.
class sub_group {
public:
  using id_type = id<1>;
  using range_type = range<1>;
  using linear_id_type = std::uint32_t;

  static constexpr int dimensions = 1;
  static constexpr memory_scope fence_scope = memory_scope::sub_group;

  id_type get_local_id() const { return id_type(get_local_linear_id()); }
  linear_id_type get_local_linear_id() const { return detail::work_item::sub_group_local_id(); }

  // The last sub-group of a work-group may be smaller than the others.
  range_type get_local_range() const { return range_type(get_local_linear_range()); }
  linear_id_type get_local_linear_range() const {
    return detail::work_item::sub_group_local_range();
  }
  range_type get_max_local_range() const {
    return range_type(detail::work_item::sub_group_max_local_range());
  }

  id_type get_group_id() const { return id_type(get_group_linear_id()); }
  linear_id_type get_group_linear_id() const { return detail::work_item::sub_group_id(); }

  range_type get_group_range() const { return range_type(get_group_linear_range()); }
  linear_id_type get_group_linear_range() const { return detail::work_item::sub_group_range(); }

  bool leader() const { return get_local_linear_id() == 0; }

  friend constexpr bool operator==(const sub_group &, const sub_group &) { return true; }
  friend constexpr bool operator!=(const sub_group &, const sub_group &) { return false; }

private:
  friend struct detail::sub_group_access;

  // Not defaulted: see group.
  constexpr sub_group() {}
};

namespace detail {

// The only way to create a sub_group; users receive theirs from an nd_item or this_work_item.
struct sub_group_access {
  static constexpr sub_group make() { return sub_group(); }
};

} // namespace detail
} // namespace _V1
} // namespace sycl

// sub_group: the work-items of a work-group that the device runs together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <sycl/access/fence_space.hpp>
#include <sycl/detail/barrier.hpp>
#include <sycl/detail/deprecated.hpp>
#include <sycl/detail/work_item.hpp>
#include <sycl/id.hpp>
#include <sycl/memory_scope.hpp>
#include <sycl/range.hpp>
#include <sycl/vec.hpp>
#include <type_traits>

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

  // DPC++'s earlier members.

  DOVETAIL_DEPRECATED("use sycl::group_barrier")
  void barrier(access::fence_space space = access::fence_space::global_and_local) const {
    detail::barrier(memory_scope::sub_group, memory_scope::sub_group, space);
  }

  // Defined in group_permutations.hpp.
  template <typename DataT>
  DOVETAIL_DEPRECATED("use sycl::select_from_group")
  DataT shuffle(DataT value, id_type source) const;
  template <typename DataT>
  DOVETAIL_DEPRECATED("use sycl::shift_group_left")
  DataT shuffle_down(DataT value, linear_id_type delta) const;
  template <typename DataT>
  DOVETAIL_DEPRECATED("use sycl::shift_group_right")
  DataT shuffle_up(DataT value, linear_id_type delta) const;
  template <typename DataT>
  DOVETAIL_DEPRECATED("use sycl::permute_group_by_xor")
  DataT shuffle_xor(DataT value, id_type mask) const;

  // Of consecutive elements, or of several such blocks, each work-item has its own. Address is a
  // pointer or a multi_ptr.
  template <typename Address> DOVETAIL_DEPRECATED("use group_load") auto load(Address from) const {
    std::remove_const_t<std::remove_reference_t<decltype(*from)>> value =
        from[get_local_linear_id()];
    return value;
  }
  template <int Count, typename Address>
  DOVETAIL_DEPRECATED("use group_load")
  auto load(Address from) const {
    vec<std::remove_const_t<std::remove_reference_t<decltype(*from)>>, Count> values;
    for (int i = 0; i < Count; ++i)
      values[i] = from[place(i)];
    return values;
  }
  template <typename Address, typename DataT>
  DOVETAIL_DEPRECATED("use group_store")
  void store(Address to, const DataT &value) const {
    to[get_local_linear_id()] = value;
  }
  template <int Count, typename Address, typename DataT>
  DOVETAIL_DEPRECATED("use group_store")
  void store(Address to, const vec<DataT, Count> &values) const {
    for (int i = 0; i < Count; ++i)
      to[place(i)] = values[i];
  }

  friend constexpr bool operator==(const sub_group &, const sub_group &) { return true; }
  friend constexpr bool operator!=(const sub_group &, const sub_group &) { return false; }

private:
  friend struct detail::sub_group_access;

  std::size_t place(int block) const {
    return static_cast<std::size_t>(block) * get_max_local_range()[0] + get_local_linear_id();
  }

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

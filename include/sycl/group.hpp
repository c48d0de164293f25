// group<Dimensions>: the work-group of the running work-item.
#pragma once

#include <cstddef>
#include <sycl/detail/linear_id.hpp>
#include <sycl/detail/work_item.hpp>
#include <sycl/detail/work_item_scope.hpp>
#include <sycl/id.hpp>
#include <sycl/memory_scope.hpp>
#include <sycl/range.hpp>

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

  // In a hierarchical kernel: calls the function for each work-item of the group, or for each one
  // of a logical range.
  template <typename Function> void parallel_for_work_item(const Function &function) const {
    detail::run_items<Dimensions>(detail::private_frame(), function);
  }
  template <typename Function>
  void parallel_for_work_item(range<Dimensions> sizes, const Function &function) const {
    detail::run_logical_items<Dimensions>(detail::private_frame(), sizes, function);
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

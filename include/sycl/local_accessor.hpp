// local_accessor: memory that the work-items of a work-group share, of a size chosen at launch.
#pragma once

#include <cstddef>
#include <functional>
#include <sycl/access/address_space.hpp>
#include <sycl/access/decorated.hpp>
#include <sycl/detail/accessor_container.hpp>
#include <sycl/detail/accessor_subscript.hpp>
#include <sycl/detail/deprecated.hpp>
#include <sycl/detail/dynamic_local_memory.hpp>
#include <sycl/detail/kernel_argument.hpp>
#include <sycl/handler.hpp>
#include <sycl/id.hpp>
#include <sycl/multi_ptr.hpp>
#include <sycl/property_list.hpp>
#include <sycl/range.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {

// Size and layout are the same on host and device, as for accessor.
template <typename DataT, int Dimensions = 1>
class DOVETAIL_KERNEL_ARGUMENT("local") local_accessor
    : public detail::accessor_subscript<local_accessor<DataT, Dimensions>, DataT, Dimensions>,
      public detail::accessor_container<local_accessor<DataT, Dimensions>, DataT, Dimensions> {
  using subscript = detail::accessor_subscript<local_accessor, DataT, Dimensions>;
  using memory_range = range<Dimensions == 0 ? 1 : Dimensions>;

public:
  using value_type = DataT;
  template <access::decorated Decorated>
  using accessor_ptr = multi_ptr<value_type, access::address_space::local_space, Decorated>;

  local_accessor() = default;

  // One element.
  template <int Dims = Dimensions, std::enable_if_t<Dims == 0, int> = 0>
  local_accessor(handler &, const property_list & = {})
      : memory(sizeof(DataT)), sizes(memory_range(1)) {}

  template <int Dims = Dimensions, std::enable_if_t<Dims != 0, int> = 0>
  local_accessor(memory_range sizes, handler &, const property_list & = {})
      : memory(sizes.size() * sizeof(DataT)), sizes(sizes) {}

  // Const may be added.
  template <
      typename Other,
      std::enable_if_t<std::is_same_v<const Other, DataT> && !std::is_const_v<Other>, int> = 0>
  local_accessor(const local_accessor<Other, Dimensions> &other)
      : memory(other.memory), sizes(other.sizes) {}

  using subscript::operator=;

  range<Dimensions> get_range() const noexcept { return sizes; }

  DOVETAIL_DEPRECATED("use get_multi_ptr()") local_ptr<value_type> get_pointer() const noexcept {
    return local_ptr<value_type>(get_first());
  }
  template <access::decorated Decorated> accessor_ptr<Decorated> get_multi_ptr() const noexcept {
    return accessor_ptr<Decorated>(get_first());
  }

  void swap(local_accessor &other) {
    local_accessor mine = *this;
    *this = other;
    other = mine;
  }

  friend bool operator==(const local_accessor &left, const local_accessor &right) {
    return left.memory == right.memory && left.sizes == right.sizes;
  }
  friend bool operator!=(const local_accessor &left, const local_accessor &right) {
    return !(left == right);
  }

private:
  friend struct std::hash<local_accessor>;
  template <typename, int> friend class local_accessor;
  friend subscript;
  friend class detail::accessor_container<local_accessor, DataT, Dimensions>;

  using pointer = typename detail::dynamic_local_memory<DataT>::pointer;

  pointer get_first() const { return memory.get(); }
  const memory_range &get_memory_range() const { return sizes; }
  const memory_range &get_covered_range() const { return sizes; }

  detail::dynamic_local_memory<DataT> memory; // has to be the first member
  memory_range sizes;
};

} // namespace _V1
} // namespace sycl

template <typename DataT, int Dimensions>
struct std::hash<sycl::local_accessor<DataT, Dimensions>> {
  std::size_t operator()(const sycl::local_accessor<DataT, Dimensions> &a) const {
    return a.sizes.size();
  }
};

// nd_range<Dimensions>: an index space cut into work-groups.
#pragma once

#include <sycl/detail/deprecated.hpp>
#include <sycl/id.hpp>
#include <sycl/range.hpp>

namespace sycl {
inline namespace _V1 {

template <int Dimensions = 1> class nd_range {
public:
  static constexpr int dimensions = Dimensions;

  constexpr nd_range(range<Dimensions> global_size, range<Dimensions> local_size)
      : global_size(global_size), local_size(local_size) {}

  DOVETAIL_DEPRECATED("SYCL 2020 deprecates offsets")
  constexpr nd_range(range<Dimensions> global_size, range<Dimensions> local_size,
                     id<Dimensions> offset)
      : global_size(global_size), local_size(local_size), offset(offset) {}

  constexpr range<Dimensions> get_global_range() const { return global_size; }
  constexpr range<Dimensions> get_local_range() const { return local_size; }
  constexpr range<Dimensions> get_group_range() const { return global_size / local_size; }

  DOVETAIL_DEPRECATED("SYCL 2020 deprecates offsets") constexpr id<Dimensions> get_offset() const {
    return offset;
  }

  friend constexpr bool operator==(const nd_range &left, const nd_range &right) {
    return left.global_size == right.global_size && left.local_size == right.local_size &&
           left.offset == right.offset;
  }

  friend constexpr bool operator!=(const nd_range &left, const nd_range &right) {
    return !(left == right);
  }

private:
  range<Dimensions> global_size;
  range<Dimensions> local_size;
  id<Dimensions> offset;
};

} // namespace _V1
} // namespace sycl

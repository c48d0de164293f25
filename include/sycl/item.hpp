// item<Dimensions, WithOffset>: a work-item of a kernel that runs over a plain range.
#pragma once

#include <cstddef>
#include <sycl/detail/deprecated.hpp>
#include <sycl/detail/index_conversion.hpp>
#include <sycl/detail/linear_id.hpp>
#include <sycl/id.hpp>
#include <sycl/range.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {

namespace detail {
struct item_access;
}

template <int Dimensions = 1, bool WithOffset = true>
class item : public detail::index_conversion<item<Dimensions, WithOffset>, Dimensions> {
public:
  static constexpr int dimensions = Dimensions;

  // An item without an offset is one whose offset is zero.
  template <bool HasOffset = WithOffset, std::enable_if_t<HasOffset, int> = 0>
  constexpr item(const item<Dimensions, false> &other)
      : position(other.position), sizes(other.sizes), offset(other.offset) {}

  constexpr id<Dimensions> get_id() const { return position; }
  constexpr std::size_t get_id(int dimension) const { return position[dimension]; }
  constexpr std::size_t operator[](int dimension) const { return position[dimension]; }

  constexpr range<Dimensions> get_range() const { return sizes; }
  constexpr std::size_t get_range(int dimension) const { return sizes[dimension]; }

  template <bool HasOffset = WithOffset, std::enable_if_t<HasOffset, int> = 0>
  DOVETAIL_DEPRECATED("SYCL 2020 deprecates offsets")
  constexpr id<Dimensions> get_offset() const {
    return offset;
  }

  template <bool HasOffset = WithOffset, std::enable_if_t<HasOffset, int> = 0>
  DOVETAIL_DEPRECATED("SYCL 2020 deprecates offsets")
  constexpr std::size_t get_offset(int dimension) const {
    return offset[dimension];
  }

  constexpr std::size_t get_linear_id() const {
    return detail::linear_id(position - offset, sizes);
  }

  friend constexpr bool operator==(const item &left, const item &right) {
    return left.position == right.position && left.sizes == right.sizes &&
           left.offset == right.offset;
  }

  friend constexpr bool operator!=(const item &left, const item &right) { return !(left == right); }

private:
  friend struct detail::item_access;
  template <int, bool> friend class item;

  constexpr item(const id<Dimensions> &position, const range<Dimensions> &sizes,
                 const id<Dimensions> &offset)
      : position(position), sizes(sizes), offset(offset) {}

  // Unlike nd_item, an item stores its values: if the launch rounds a range up, or loops over it,
  // they differ from the device's built-in variables.
  id<Dimensions> position;
  range<Dimensions> sizes;
  id<Dimensions> offset;
};

namespace detail {

// The only way to create an item; users receive theirs from the launch. The result is const for
// kernels that take `auto &`.
struct item_access {
  template <bool WithOffset, int Dimensions>
  static constexpr const item<Dimensions, WithOffset> make(const id<Dimensions> &position,
                                                           const range<Dimensions> &sizes,
                                                           const id<Dimensions> &offset = {}) {
    return item<Dimensions, WithOffset>(position, sizes, offset);
  }
};

} // namespace detail
} // namespace _V1
} // namespace sycl

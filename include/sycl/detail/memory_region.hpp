// memory_region: the part of a buffer that an accessor covers, in bytes and without its types.
#pragma once

#include <cstddef>

namespace sycl {
inline namespace _V1 {
namespace detail {

// Always three dimensions; the outer ones are 1 where there are fewer.
struct memory_region {
  std::size_t first = 0; // byte of the first element
  std::size_t element = 1;
  std::size_t memory[3] = {1, 1, 1}; // elements of the whole memory in each dimension
  std::size_t extent[3] = {1, 1, 1}; // those that are covered

  template <typename Range>
  memory_region(std::size_t first, std::size_t element, const Range &whole, const Range &part)
      : first(first), element(element) {
    constexpr int missing = 3 - Range::dimensions;
    for (int i = 0; i < Range::dimensions; ++i) {
      memory[missing + i] = whole[i];
      extent[missing + i] = part[i];
    }
  }

  std::size_t count() const { return extent[0] * extent[1] * extent[2]; }

  // Bytes that lie side by side.
  std::size_t row_size() const { return extent[2] * element; }

  // Where a row begins, counted over what is covered.
  std::size_t row(std::size_t number) const {
    std::size_t plane = number / extent[1];
    return first + (plane * memory[1] + number % extent[1]) * memory[2] * element;
  }
};

} // namespace detail
} // namespace _V1
} // namespace sycl

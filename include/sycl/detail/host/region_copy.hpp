// Copies between rows of memory and plain memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <sycl/detail/host/body.hpp>
#include <sycl/detail/memory_region.hpp>

namespace sycl {
inline namespace _V1 {
namespace detail {
namespace host {

// Calls `visit(place, position, size)` for each row of the region's first `count` elements: where
// it lies, how many bytes were before it, and its size, all in bytes.
template <typename Visit>
void for_each_row(const memory_region &region, std::size_t count, Visit visit) {
  std::size_t left = count * region.element;
  std::size_t row_size = region.row_size();
  for (std::size_t row = 0, position = 0; left != 0; ++row) {
    std::size_t size = std::min(left, row_size);
    visit(region.row(row), position, size);
    position += size;
    left -= size;
  }
}

DOVETAIL_HOST_BODY void gather(unsigned char *to, const unsigned char *memory,
                               const memory_region &region) {
  for_each_row(region, region.count(),
               [=](std::size_t place, std::size_t position, std::size_t size) {
                 std::memcpy(to + position, memory + place, size);
               });
}

DOVETAIL_HOST_BODY void scatter(unsigned char *memory, const memory_region &region,
                                const unsigned char *from, std::size_t count) {
  for_each_row(region, count, [=](std::size_t place, std::size_t position, std::size_t size) {
    std::memcpy(memory + place, from + position, size);
  });
}

} // namespace host
} // namespace detail
} // namespace _V1
} // namespace sycl

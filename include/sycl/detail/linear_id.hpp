// linear_id: a position as a linear index; the last dimension is the fastest.
#pragma once

#include <cstddef>
#include <sycl/id.hpp>
#include <sycl/range.hpp>

namespace sycl {
inline namespace _V1 {
namespace detail {

template <int Dimensions>
constexpr std::size_t linear_id(const id<Dimensions> &position, const range<Dimensions> &sizes) {
  std::size_t result = position[0];
  for (int i = 1; i < Dimensions; ++i)
    result = result * sizes[i] + position[i];
  return result;
}

} // namespace detail
} // namespace _V1
} // namespace sycl

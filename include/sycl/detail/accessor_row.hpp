// accessor_row: the result of subscripting a multi-dimensional accessor with its first index.
#pragma once

#include <cstddef>
#include <sycl/range.hpp>

namespace sycl {
inline namespace _V1 {
namespace detail {

// Left is the number of remaining indices.
template <typename DataT, typename Pointer, int Dimensions, int Left> class accessor_row {
public:
  accessor_row(Pointer memory, const range<Dimensions> &sizes, std::size_t position)
      : memory(memory), sizes(sizes), position(position) {}

  decltype(auto) operator[](std::size_t index) const {
    std::size_t next = position * sizes[Dimensions - Left] + index;
    if constexpr (Left == 1)
      return static_cast<DataT &>(memory[next]);
    else
      return accessor_row<DataT, Pointer, Dimensions, Left - 1>(memory, sizes, next);
  }

private:
  Pointer memory;
  range<Dimensions> sizes;
  std::size_t position;
};

} // namespace detail
} // namespace _V1
} // namespace sycl

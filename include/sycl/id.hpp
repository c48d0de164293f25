// id<Dimensions>: a position in an index space.
#pragma once

#include <cstddef>
#include <sycl/detail/coordinates.hpp>
#include <sycl/detail/index_conversion.hpp>
#include <sycl/range.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {

template <int Dimensions, bool WithOffset> class item;

template <int Dimensions = 1>
class id : public detail::coordinates<id<Dimensions>, Dimensions>,
           public detail::index_conversion<id<Dimensions>, Dimensions> {
public:
  constexpr id() = default;

  // The constructors are templates so that only the one with the right number of positions exists.
  template <int Dims = Dimensions, std::enable_if_t<Dims == 1, int> = 0>
  constexpr id(std::size_t position0) {
    this->values[0] = position0;
  }

  template <int Dims = Dimensions, std::enable_if_t<Dims == 2, int> = 0>
  constexpr id(std::size_t position0, std::size_t position1) {
    this->values[0] = position0;
    this->values[1] = position1;
  }

  template <int Dims = Dimensions, std::enable_if_t<Dims == 3, int> = 0>
  constexpr id(std::size_t position0, std::size_t position1, std::size_t position2) {
    this->values[0] = position0;
    this->values[1] = position1;
    this->values[2] = position2;
  }

  constexpr id(const range<Dimensions> &sizes) {
    for (int i = 0; i < Dimensions; ++i)
      this->values[i] = sizes[i];
  }

  template <bool WithOffset>
  constexpr id(const item<Dimensions, WithOffset> &work_item) : id(work_item.get_id()) {}
};

id(std::size_t) -> id<1>;
id(std::size_t, std::size_t) -> id<2>;
id(std::size_t, std::size_t, std::size_t) -> id<3>;

} // namespace _V1
} // namespace sycl

// range<Dimensions>: the size of an index space.
#pragma once

#include <cstddef>
#include <sycl/detail/coordinates.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {

template <int Dimensions = 1>
class range : public detail::coordinates<range<Dimensions>, Dimensions> {
public:
  constexpr range() = default;

  // The constructors are templates so that only the one with the right number of sizes exists.
  template <int Dims = Dimensions, std::enable_if_t<Dims == 1, int> = 0>
  constexpr range(std::size_t size0) {
    this->values[0] = size0;
  }

  template <int Dims = Dimensions, std::enable_if_t<Dims == 2, int> = 0>
  constexpr range(std::size_t size0, std::size_t size1) {
    this->values[0] = size0;
    this->values[1] = size1;
  }

  template <int Dims = Dimensions, std::enable_if_t<Dims == 3, int> = 0>
  constexpr range(std::size_t size0, std::size_t size1, std::size_t size2) {
    this->values[0] = size0;
    this->values[1] = size1;
    this->values[2] = size2;
  }

  constexpr std::size_t size() const {
    std::size_t product = 1;
    for (int i = 0; i < Dimensions; ++i)
      product *= this->values[i];
    return product;
  }
};

range(std::size_t) -> range<1>;
range(std::size_t, std::size_t) -> range<2>;
range(std::size_t, std::size_t, std::size_t) -> range<3>;

} // namespace _V1
} // namespace sycl

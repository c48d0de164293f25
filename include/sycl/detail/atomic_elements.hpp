// atomic_elements: an accessor whose subscripts return atomics, as access mode `atomic` does.
#pragma once

#include <cstddef>
#include <sycl/access/address_space.hpp>
#include <sycl/access/decorated.hpp>
#include <sycl/atomic.hpp>
#include <sycl/id.hpp>
#include <sycl/multi_ptr.hpp>
#include <type_traits>

// A use of class atomic in a program is what draws its warning.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"

namespace sycl {
inline namespace _V1 {
namespace detail {

template <access::address_space Space, typename DataT> auto as_atomic(DataT &element) {
  return sycl::atomic<DataT, Space>(multi_ptr<DataT, Space, access::decorated::no>(&element));
}

// The result of subscripting an accessor of several dimensions with fewer indices.
template <access::address_space Space, typename Row> class atomic_row {
public:
  explicit atomic_row(const Row &row) : row(row) {}

  auto operator[](std::size_t index) const {
    if constexpr (std::is_lvalue_reference_v<decltype(row[index])>)
      return as_atomic<Space>(row[index]);
    else
      return atomic_row<Space, decltype(row[index])>(row[index]);
  }

private:
  Row row;
};

template <typename Accessor, typename DataT, int Dimensions, access::address_space Space>
class atomic_elements : public Accessor {
public:
  using Accessor::Accessor;

  auto operator[](id<Dimensions> index) const {
    return as_atomic<Space>(Accessor::operator[](index));
  }
  template <int Dims = Dimensions, std::enable_if_t<(Dims > 1), int> = 0>
  auto operator[](std::size_t index) const {
    return atomic_row<Space, decltype(Accessor::operator[](index))>(Accessor::operator[](index));
  }
};

template <typename Accessor, typename DataT, access::address_space Space>
class atomic_elements<Accessor, DataT, 0, Space> : public Accessor {
public:
  using Accessor::Accessor;

  operator sycl::atomic<DataT, Space>() const {
    return as_atomic<Space>(static_cast<DataT &>(static_cast<const Accessor &>(*this)));
  }
};

} // namespace detail
} // namespace _V1
} // namespace sycl

#pragma clang diagnostic pop

// accessor_subscript: the subscript operators of accessors, by number of dimensions.
#pragma once

#include <cstddef>
#include <sycl/detail/accessor_row.hpp>
#include <sycl/detail/linear_id.hpp>
#include <sycl/id.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {
namespace detail {

// A base class of accessors. Accessor has get_first(), the address of what index 0 means, and
// get_memory_range(), whose rows the elements lie in; both only for this class.
template <typename Accessor, typename DataT, int Dimensions> class accessor_subscript {
public:
  DataT &operator[](id<Dimensions> index) const {
    const auto &self = static_cast<const Accessor &>(*this);
    return self.get_first()[linear_id(index, self.get_memory_range())];
  }

  auto operator[](std::size_t index) const {
    const auto &self = static_cast<const Accessor &>(*this);
    return accessor_row<DataT, decltype(self.get_first()), Dimensions, Dimensions - 1>(
        self.get_first(), self.get_memory_range(), index);
  }
};

template <typename Accessor, typename DataT> class accessor_subscript<Accessor, DataT, 1> {
public:
  DataT &operator[](id<1> index) const {
    return static_cast<const Accessor &>(*this).get_first()[index[0]];
  }
};

// An accessor of no dimensions converts to its only element.
template <typename Accessor, typename DataT> class accessor_subscript<Accessor, DataT, 0> {
public:
  operator DataT &() const { return *static_cast<const Accessor &>(*this).get_first(); }

  template <typename Value, std::enable_if_t<!std::is_const_v<DataT> &&
                                                 std::is_convertible_v<const Value &, DataT> &&
                                                 !std::is_base_of_v<accessor_subscript, Value>,
                                             int> = 0>
  const Accessor &operator=(const Value &value) const {
    const auto &self = static_cast<const Accessor &>(*this);
    *self.get_first() = value;
    return self;
  }
};

} // namespace detail
} // namespace _V1
} // namespace sycl

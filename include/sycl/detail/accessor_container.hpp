// accessor_container: the container interface of accessors.
#pragma once

#include <cstddef>
#include <iterator>
#include <sycl/detail/accessor_iterator.hpp>
#include <sycl/detail/deprecated.hpp>
#include <sycl/range.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {
namespace detail {

// A base class of accessors, which have get_first() and get_memory_range() as for
// accessor_subscript, and get_covered_range(): the number of elements that they cover.
template <typename Accessor, typename DataT, int Dimensions> class accessor_container {
  static constexpr int dimensions_of_memory = Dimensions == 0 ? 1 : Dimensions;

public:
  using value_type = DataT;
  using reference = DataT &;
  using const_reference = const DataT &;
  using iterator = accessor_iterator<DataT, dimensions_of_memory>;
  using const_iterator = accessor_iterator<const DataT, dimensions_of_memory>;
  using reverse_iterator = std::reverse_iterator<iterator>;
  using const_reverse_iterator = std::reverse_iterator<const_iterator>;
  using difference_type = std::ptrdiff_t;
  using size_type = std::size_t;

  size_type size() const noexcept { return self().get_covered_range().size(); }
  size_type byte_size() const noexcept { return size() * sizeof(DataT); }
  size_type max_size() const noexcept { return static_cast<size_type>(-1) / sizeof(DataT); }
  DOVETAIL_DEPRECATED("use size()") size_type get_count() const noexcept { return size(); }
  DOVETAIL_DEPRECATED("use byte_size()") size_type get_size() const noexcept { return byte_size(); }
  bool empty() const noexcept { return size() == 0; }

  iterator begin() const noexcept { return at<iterator>(0); }
  iterator end() const noexcept { return at<iterator>(size()); }
  const_iterator cbegin() const noexcept { return at<const_iterator>(0); }
  const_iterator cend() const noexcept { return at<const_iterator>(size()); }
  reverse_iterator rbegin() const noexcept { return reverse_iterator(end()); }
  reverse_iterator rend() const noexcept { return reverse_iterator(begin()); }
  const_reverse_iterator crbegin() const noexcept { return const_reverse_iterator(cend()); }
  const_reverse_iterator crend() const noexcept { return const_reverse_iterator(cbegin()); }

private:
  const Accessor &self() const { return static_cast<const Accessor &>(*this); }

  template <typename Iterator> Iterator at(size_type position) const {
    return Iterator(self().get_first(), self().get_memory_range(), self().get_covered_range(),
                    position);
  }
};

} // namespace detail
} // namespace _V1
} // namespace sycl

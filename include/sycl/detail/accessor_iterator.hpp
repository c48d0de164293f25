// accessor_iterator: iterates over the elements of an accessor, row by row.
#pragma once

#include <cstddef>
#include <iterator>
#include <sycl/detail/linear_id.hpp>
#include <sycl/id.hpp>
#include <sycl/range.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {
namespace detail {

// Contains the layout of rows and the covered range, since the elements of a ranged accessor are
// not contiguous.
template <typename DataT, int Dimensions> class accessor_iterator {
public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = std::remove_const_t<DataT>;
  using difference_type = std::ptrdiff_t;
  using pointer = DataT *;
  using reference = DataT &;

  accessor_iterator() = default;
  accessor_iterator(DataT *first, const range<Dimensions> &memory, const range<Dimensions> &covered,
                    std::size_t position)
      : first(first), memory(memory), covered(covered), position(position) {}

  // Const may be added.
  template <
      typename Other,
      std::enable_if_t<std::is_same_v<const Other, DataT> && !std::is_const_v<Other>, int> = 0>
  accessor_iterator(const accessor_iterator<Other, Dimensions> &other)
      : first(other.first), memory(other.memory), covered(other.covered), position(other.position) {
  }

  reference operator*() const { return first[place(position)]; }
  pointer operator->() const { return &**this; }
  reference operator[](difference_type distance) const { return *(*this + distance); }

  accessor_iterator &operator+=(difference_type distance) {
    position += static_cast<std::size_t>(distance);
    return *this;
  }
  accessor_iterator &operator-=(difference_type distance) { return *this += -distance; }
  accessor_iterator &operator++() { return *this += 1; }
  accessor_iterator &operator--() { return *this -= 1; }

  accessor_iterator operator++(int) {
    accessor_iterator before = *this;
    ++*this;
    return before;
  }
  accessor_iterator operator--(int) {
    accessor_iterator before = *this;
    --*this;
    return before;
  }

  friend accessor_iterator operator+(accessor_iterator left, difference_type distance) {
    return left += distance;
  }
  friend accessor_iterator operator+(difference_type distance, accessor_iterator right) {
    return right += distance;
  }
  friend accessor_iterator operator-(accessor_iterator left, difference_type distance) {
    return left -= distance;
  }
  friend difference_type operator-(const accessor_iterator &left, const accessor_iterator &right) {
    return static_cast<difference_type>(left.position - right.position);
  }

#define DOVETAIL_COMPARISON(OP)                                                                    \
  friend bool operator OP(const accessor_iterator &left, const accessor_iterator &right) {         \
    return left.position OP right.position;                                                        \
  }
  DOVETAIL_COMPARISON(==)
  DOVETAIL_COMPARISON(!=)
  DOVETAIL_COMPARISON(<)
  DOVETAIL_COMPARISON(>)
  DOVETAIL_COMPARISON(<=)
  DOVETAIL_COMPARISON(>=)
#undef DOVETAIL_COMPARISON

private:
  template <typename, int> friend class accessor_iterator;

  std::size_t place(std::size_t linear) const {
    if constexpr (Dimensions == 1)
      return linear;
    id<Dimensions> index;
    for (int i = Dimensions - 1; i >= 0; --i) {
      index[i] = linear % covered[i];
      linear /= covered[i];
    }
    return linear_id(index, memory);
  }

  DataT *first = nullptr;
  range<Dimensions> memory;
  range<Dimensions> covered;
  std::size_t position = 0;
};

} // namespace detail
} // namespace _V1
} // namespace sycl

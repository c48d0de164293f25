// h_item<Dimensions>: a work-item of a hierarchical kernel.
#pragma once

#include <cstddef>
#include <sycl/detail/work_item.hpp>
#include <sycl/id.hpp>
#include <sycl/item.hpp>
#include <sycl/range.hpp>

namespace sycl {
inline namespace _V1 {

namespace detail {
struct h_item_access;
}

// Of several logical work-items that one physical work-item runs, each has its own.
template <int Dimensions = 1> class h_item {
public:
  static constexpr int dimensions = Dimensions;

  item<Dimensions, false> get_global() const {
    return detail::item_access::make<false>(get_global_id(), get_global_range());
  }
  item<Dimensions, false> get_local() const { return get_logical_local(); }
  item<Dimensions, false> get_logical_local() const {
    return detail::item_access::make<false>(position, sizes);
  }
  item<Dimensions, false> get_physical_local() const {
    return detail::item_access::make<false>(get_physical_local_id(), get_physical_local_range());
  }

  // NAME() with all dimensions and NAME(dimension).
#define DOVETAIL_QUERY(RESULT, NAME, ALL)                                                          \
  RESULT<Dimensions> NAME() const { return ALL; }                                                  \
  std::size_t NAME(int dimension) const { return NAME()[dimension]; }

  DOVETAIL_QUERY(range, get_global_range, detail::work_item::global_range<Dimensions>())
  DOVETAIL_QUERY(id, get_global_id, detail::work_item::global_id<Dimensions>())
  DOVETAIL_QUERY(range, get_local_range, sizes)
  DOVETAIL_QUERY(id, get_local_id, position)
  DOVETAIL_QUERY(range, get_logical_local_range, sizes)
  DOVETAIL_QUERY(id, get_logical_local_id, position)
  DOVETAIL_QUERY(range, get_physical_local_range, detail::work_item::local_range<Dimensions>())
  DOVETAIL_QUERY(id, get_physical_local_id, detail::work_item::local_id<Dimensions>())
#undef DOVETAIL_QUERY

  friend bool operator==(const h_item &left, const h_item &right) {
    return left.position == right.position && left.sizes == right.sizes;
  }
  friend bool operator!=(const h_item &left, const h_item &right) { return !(left == right); }

private:
  friend struct detail::h_item_access;

  h_item(const id<Dimensions> &position, const range<Dimensions> &sizes, unsigned char *frame)
      : position(position), sizes(sizes), frame(frame) {}

  id<Dimensions> position; // logical
  range<Dimensions> sizes; // logical
  unsigned char *frame;    // the memory of private_memory
};

namespace detail {

struct h_item_access {
  template <int Dimensions>
  static const h_item<Dimensions> make(const id<Dimensions> &position,
                                       const range<Dimensions> &sizes, unsigned char *frame) {
    return h_item<Dimensions>(position, sizes, frame);
  }
  template <int Dimensions> static unsigned char *frame(const h_item<Dimensions> &each) {
    return each.frame;
  }
};

} // namespace detail
} // namespace _V1
} // namespace sycl

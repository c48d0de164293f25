// private_memory: a variable at work-group scope of which each work-item has its own.
#pragma once

#include <cstddef>
#include <sycl/detail/work_item_scope.hpp>
#include <sycl/group.hpp>
#include <sycl/h_item.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {

// Its value is undefined until it is set. The logical work-items that one physical work-item runs
// share it.
template <typename DataT, int Dimensions = 1> class private_memory {
  static_assert(std::is_trivially_destructible_v<DataT>, "nothing destroys private memory");

public:
  private_memory(const group<Dimensions> &) : offset(detail::allocate_private<DataT>()) {}
  private_memory(const private_memory &) = delete;
  private_memory &operator=(const private_memory &) = delete;

  DataT &operator()(const h_item<Dimensions> &each) const {
    return *reinterpret_cast<DataT *>(detail::h_item_access::frame(each) + offset);
  }

private:
  std::size_t offset; // in the frame of each work-item
};

} // namespace _V1
} // namespace sycl

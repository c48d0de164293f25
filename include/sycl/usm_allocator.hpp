// usm_allocator: an allocator of unified shared memory for standard containers.
#pragma once

#include <cstddef>
#include <sycl/context.hpp>
#include <sycl/detail/fail.hpp>
#include <sycl/device.hpp>
#include <sycl/errc.hpp>
#include <sycl/property_list.hpp>
#include <sycl/queue.hpp>
#include <sycl/usm.hpp>
#include <sycl/usm/alloc.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {

template <typename DataT, usm::alloc Kind, std::size_t Alignment = 0> class usm_allocator {
  static_assert(Kind == usm::alloc::host || Kind == usm::alloc::shared,
                "the host constructs the elements, and has to reach them");

public:
  using value_type = DataT;
  using propagate_on_container_copy_assignment = std::true_type;
  using propagate_on_container_move_assignment = std::true_type;
  using propagate_on_container_swap = std::true_type;

  template <typename OtherT> struct rebind {
    using other = usm_allocator<OtherT, Kind, Alignment>;
  };

  usm_allocator() = delete;
  usm_allocator(const context &where, const device &owner, const property_list & = {})
      : where(where), owner(owner) {}
  explicit usm_allocator(const queue &q, const property_list & = {})
      : where(q.get_context()), owner(q.get_device()) {}

  template <typename OtherT>
  usm_allocator(const usm_allocator<OtherT, Kind, Alignment> &other) noexcept
      : where(other.where), owner(other.owner) {}

  DataT *allocate(std::size_t count) {
    DataT *address = aligned_alloc<DataT>(Alignment, count, owner, where, Kind);
    if (!address && count != 0)
      detail::fail(errc::memory_allocation, "usm_allocator: there is not enough memory");
    return address;
  }

  void deallocate(DataT *address, std::size_t) { free(address, where); }

  template <typename OtherT>
  friend bool operator==(const usm_allocator &left,
                         const usm_allocator<OtherT, Kind, Alignment> &right) {
    return left.where == right.where && left.owner == right.owner;
  }
  template <typename OtherT>
  friend bool operator!=(const usm_allocator &left,
                         const usm_allocator<OtherT, Kind, Alignment> &right) {
    return !(left == right);
  }

private:
  template <typename, usm::alloc, std::size_t> friend class usm_allocator;

  context where;
  device owner;
};

} // namespace _V1
} // namespace sycl

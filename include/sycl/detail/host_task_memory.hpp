// host_task_memory: the first member of an accessor for host tasks. It identifies the buffer and,
// while the task runs, contains the address of the content.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <sycl/access/address_space.hpp>
#include <sycl/detail/decorated_type.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {
namespace detail {

// What the copies of an accessor share. Tasks that read may run at the same time.
using host_task_place = std::atomic<void *>;

template <typename DataT> class host_task_memory {
public:
  using pointer = decorated_ptr<DataT, access::address_space::global_space>;

  host_task_memory() = default;
  explicit host_task_memory(std::uint64_t handle)
      : handle(handle), place(std::make_shared<host_task_place>(nullptr)) {}

  // Const may be added.
  template <typename Other, std::enable_if_t<std::is_same_v<const Other, const DataT>, int> = 0>
  host_task_memory(const host_task_memory<Other> &other)
      : handle(other.handle), place(other.place) {}

  friend bool operator==(const host_task_memory &left, const host_task_memory &right) {
    return left.place == right.place;
  }

  std::uint64_t get_handle() const { return handle; }
  const std::shared_ptr<host_task_place> &get_place() const { return place; }

#ifdef __SYCL_DEVICE_ONLY__
  pointer get(std::size_t first) const;
#else
  pointer get(std::size_t first) const {
    return reinterpret_cast<pointer>(static_cast<unsigned char *>(place->load()) + first);
  }
#endif

private:
  template <typename> friend class host_task_memory;

  std::uint64_t handle = 0;
  std::shared_ptr<host_task_place> place;
};

} // namespace detail
} // namespace _V1
} // namespace sycl

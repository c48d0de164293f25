// host_access: the time during which the host uses a buffer's content.
#pragma once

#include <cstdint>
#include <memory>
#include <sycl/detail/buffer_state.hpp>

namespace sycl {
inline namespace _V1 {
namespace detail {

class host_access {
public:
  // Waits for conflicting work.
  host_access(std::shared_ptr<buffer_state> state, std::uint32_t bits);
  host_access(const host_access &) = delete;
  host_access &operator=(const host_access &) = delete;
  ~host_access();

  void *get_address() const;

private:
  std::shared_ptr<buffer_state> state;
  std::uint32_t bits;
  void *address = nullptr;
};

} // namespace detail
} // namespace _V1
} // namespace sycl

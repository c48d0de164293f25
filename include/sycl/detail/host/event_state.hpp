// event_state: what the copies of an event share.
#pragma once

#include <memory>
#include <sycl/detail/host/api.hpp>
#include <sycl/detail/host/queue_state.hpp>
#include <sycl/detail/host/runtime.hpp>
#include <utility>
#include <vector>

namespace sycl {
inline namespace _V1 {
namespace detail {

class event_state {
public:
  using wait_list = std::vector<std::weak_ptr<event_state>>;

  event_state(std::shared_ptr<queue_state> queue, host::handle handle, host::handle command,
              wait_list before)
      : queue(std::move(queue)), handle(handle), command(command), before(std::move(before)) {}

  event_state(const event_state &) = delete;
  event_state &operator=(const event_state &) = delete;

  ~event_state() {
    queue->release(handle);
    if (command != handle)
      queue->release(command);
  }

  const std::shared_ptr<queue_state> queue;
  const host::handle handle;
  const host::handle command; // whose times these are: another one if output follows the command
  // Not owned: each event of a long chain would keep all earlier ones alive.
  const wait_list before;
};

} // namespace detail
} // namespace _V1
} // namespace sycl

// event_state: what the copies of an event share.
#pragma once

#include <memory>
#include <sycl/detail/host/api.hpp>
#include <sycl/detail/host/queue_state.hpp>
#include <sycl/detail/host/runtime.hpp>
#include <utility>

namespace sycl {
inline namespace _V1 {
namespace detail {

class event_state {
public:
  event_state(std::shared_ptr<queue_state> queue, host::handle handle)
      : queue(std::move(queue)), handle(handle) {}

  event_state(const event_state &) = delete;
  event_state &operator=(const event_state &) = delete;

  ~event_state() { queue->release(handle); }

  const std::shared_ptr<queue_state> queue;
  const host::handle handle;
};

} // namespace detail
} // namespace _V1
} // namespace sycl

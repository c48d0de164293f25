// command_group: what a handler has collected, and how it reaches the runtime.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <sycl/detail/buffer_state.hpp>
#include <sycl/detail/fail.hpp>
#include <sycl/detail/host/api.hpp>
#include <sycl/detail/host/event.hpp>
#include <sycl/detail/host/event_state.hpp>
#include <sycl/detail/host/queue_state.hpp>
#include <sycl/detail/host/runtime.hpp>
#include <sycl/errc.hpp>
#include <sycl/event.hpp>
#include <utility>
#include <vector>

namespace sycl {
inline namespace _V1 {
namespace detail {

class command_group {
public:
  // Hands the command to the runtime, which gives an event for it.
  using command =
      std::function<void(host::handle queue, const host::requirements &, host::handle *event)>;

  explicit command_group(std::shared_ptr<queue_state> queue) : queue(std::move(queue)) {}

  void require(host::handle buffer, std::uint32_t bits, std::shared_ptr<buffer_state> state) {
    if (state)
      buffers.push_back(std::move(state));
    for (host::buffer_access &known : accesses)
      if (known.buffer == buffer) {
        // Earlier content is not needed only if no accessor needs it.
        std::uint32_t no_init = known.mode & bits & host::access_no_init;
        known.mode = ((known.mode | bits) & ~host::access_no_init) | no_init;
        return;
      }
    accesses.push_back({buffer, bits, 0});
  }

  void depend_on(const event &e) {
    if (host::handle handle = event_access::handle(e)) {
      events.push_back(e);
      event_handles.push_back(handle);
    }
  }

  void keep(std::shared_ptr<const void> owner) { owners.push_back(std::move(owner)); }

  // Null if the group has the buffer only through a placeholder.
  std::shared_ptr<buffer_state> find_buffer(host::handle handle) const {
    for (const auto &state : buffers)
      if (state->get_handle() == handle)
        return state;
    return nullptr;
  }

  void set_command(command c) {
    if (run)
      fail(errc::invalid, "a command group has one command");
    run = std::move(c);
  }

  // A command without work of its own.
  void set_marker() {
    set_command([](host::handle handle, const host::requirements &needs, host::handle *event) {
      host::call(&host::api_table::submit_marker, handle, &needs, event);
    });
  }

  // A command that the host does while everything waits; right, if slow.
  void set_host_command(std::function<void()> work) {
    set_command([this, work = std::move(work)](host::handle handle, const host::requirements &needs,
                                               host::handle *event) {
      queue->wait();
      event::wait(events);
      work();
      host::call(&host::api_table::submit_marker, handle, &needs, event);
    });
  }

  event submit() {
    host::requirements needs{accesses.data(), accesses.size(), event_handles.data(),
                             event_handles.size()};
    host::handle handle = 0;
    if (run)
      run(queue->handle, needs, &handle);
    else
      host::call(&host::api_table::submit_marker, queue->handle, &needs, &handle);
    return event_access::make(std::make_shared<event_state>(queue, handle));
  }

private:
  std::shared_ptr<queue_state> queue;
  std::vector<host::buffer_access> accesses;
  std::vector<host::handle> event_handles;
  std::vector<event> events;
  // Kept alive until the runtime has taken over.
  std::vector<std::shared_ptr<buffer_state>> buffers;
  std::vector<std::shared_ptr<const void>> owners;
  command run;
};

} // namespace detail
} // namespace _V1
} // namespace sycl

// The members of class queue.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <sycl/async_handler.hpp>
#include <sycl/backend.hpp>
#include <sycl/context.hpp>
#include <sycl/detail/fail.hpp>
#include <sycl/detail/host/body.hpp>
#include <sycl/detail/host/command_group.hpp>
#include <sycl/detail/host/handler.hpp>
#include <sycl/detail/host/queue_state.hpp>
#include <sycl/device.hpp>
#include <sycl/errc.hpp>
#include <sycl/event.hpp>
#include <sycl/exception.hpp>
#include <sycl/handler.hpp>
#include <sycl/info/queue.hpp>
#include <sycl/property_list.hpp>
#include <sycl/queue.hpp>
#include <type_traits>
#include <vector>

namespace sycl {
inline namespace _V1 {

DOVETAIL_HOST_BODY queue::queue(const context &where, const device &runs_on,
                                const async_handler &handler, const property_list &properties) {
  std::vector<device> devices = where.get_devices();
  if (std::find(devices.begin(), devices.end(), runs_on) == devices.end())
    detail::fail(errc::invalid, "the device is not in the context");
  state = std::make_shared<detail::queue_state>(where, runs_on, handler, properties);
}

DOVETAIL_HOST_BODY queue::queue(const property_list &properties) : queue(device(), properties) {}
DOVETAIL_HOST_BODY queue::queue(const async_handler &handler, const property_list &properties)
    : queue(device(), handler, properties) {}
DOVETAIL_HOST_BODY queue::queue(const device &runs_on, const property_list &properties)
    : queue(runs_on, async_handler(), properties) {}
DOVETAIL_HOST_BODY queue::queue(const device &runs_on, const async_handler &handler,
                                const property_list &properties)
    : queue(context(runs_on), runs_on, handler, properties) {}
DOVETAIL_HOST_BODY queue::queue(const context &where, const device &runs_on,
                                const property_list &properties)
    : queue(where, runs_on, async_handler(), properties) {}

DOVETAIL_HOST_BODY backend queue::get_backend() const noexcept {
  return state->runs_on.get_backend();
}
DOVETAIL_HOST_BODY context queue::get_context() const { return state->where; }
DOVETAIL_HOST_BODY device queue::get_device() const { return state->runs_on; }
DOVETAIL_HOST_BODY bool queue::is_in_order() const { return state->in_order(); }

template <typename Query> typename Query::return_type queue::get_info() const {
  if constexpr (std::is_same_v<Query, info::queue::context>)
    return get_context();
  else if constexpr (std::is_same_v<Query, info::queue::reference_count>)
    return static_cast<std::uint32_t>(state.use_count());
  else {
    static_assert(std::is_same_v<Query, info::queue::device>, "not a query that a queue answers");
    return get_device();
  }
}

DOVETAIL_HOST_BODY const property_list &queue::get_properties() const noexcept {
  return state->properties;
}

DOVETAIL_HOST_BODY event queue::submit_group(void (*call)(void *function, handler &h),
                                             void *function) {
  handler h = detail::handler_access::make(std::make_unique<detail::command_group>(state));
  call(function, h);
  return detail::handler_access::group(h).submit();
}

DOVETAIL_HOST_BODY event queue::submit_group(void (*call)(void *function, handler &h),
                                             void *function, queue secondary) {
  try {
    return submit_group(call, function);
  } catch (const exception &) {
    return secondary.submit_group(call, function);
  }
}

DOVETAIL_HOST_BODY bool queue::ext_oneapi_empty() const {
  std::uint32_t idle = 0;
  detail::host::call(&detail::host::api_table::queue_is_idle, state->handle, &idle);
  return idle;
}

DOVETAIL_HOST_BODY void queue::wait() { state->wait(); }

DOVETAIL_HOST_BODY void queue::wait_and_throw() {
  wait();
  throw_asynchronous();
}

DOVETAIL_HOST_BODY void queue::throw_asynchronous() { state->throw_asynchronous(); }

DOVETAIL_HOST_BODY event queue::memcpy(void *to, const void *from, std::size_t size,
                                       const std::vector<event> &before) {
  return submit([&](handler &h) {
    h.depends_on(before);
    h.memcpy(to, from, size);
  });
}

DOVETAIL_HOST_BODY event queue::memset(void *to, int value, std::size_t size,
                                       const std::vector<event> &before) {
  return submit([&](handler &h) {
    h.depends_on(before);
    h.memset(to, value, size);
  });
}

DOVETAIL_HOST_BODY event queue::prefetch(const void *address, std::size_t size,
                                         const std::vector<event> &before) {
  return submit([&](handler &h) {
    h.depends_on(before);
    h.prefetch(address, size);
  });
}

DOVETAIL_HOST_BODY event queue::mem_advise(const void *address, std::size_t size, int advice,
                                           const std::vector<event> &before) {
  return submit([&](handler &h) {
    h.depends_on(before);
    h.mem_advise(address, size, advice);
  });
}

DOVETAIL_HOST_BODY event queue::ext_oneapi_submit_barrier() {
  return submit([](handler &h) { h.ext_oneapi_barrier(); });
}

DOVETAIL_HOST_BODY event queue::ext_oneapi_submit_barrier(const std::vector<event> &events) {
  return submit([&](handler &h) { h.ext_oneapi_barrier(events); });
}

} // namespace _V1
} // namespace sycl

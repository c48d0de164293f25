// The members of class event.
#pragma once

#include <cstdint>
#include <memory>
#include <sycl/detail/fail.hpp>
#include <sycl/detail/host/api.hpp>
#include <sycl/detail/host/body.hpp>
#include <sycl/detail/host/event_state.hpp>
#include <sycl/detail/host/runtime.hpp>
#include <sycl/errc.hpp>
#include <sycl/event.hpp>
#include <sycl/info/event.hpp>
#include <type_traits>
#include <utility>
#include <vector>

namespace sycl {
inline namespace _V1 {
namespace detail {

struct event_access {
  static event make(std::shared_ptr<event_state> state) { return event(std::move(state)); }
  // 0 for an event without work, which is complete.
  static host::handle handle(const event &e) { return e.state ? e.state->handle : 0; }
  static const std::shared_ptr<event_state> &state(const event &e) { return e.state; }
};

} // namespace detail

DOVETAIL_HOST_BODY event::event(std::shared_ptr<detail::event_state> state)
    : state(std::move(state)) {}

DOVETAIL_HOST_BODY void event::wait() {
  if (state)
    detail::host::call(&detail::host::api_table::event_wait, state->handle);
}

DOVETAIL_HOST_BODY void event::wait(const std::vector<event> &events) {
  for (event e : events)
    e.wait();
}

DOVETAIL_HOST_BODY void event::wait_and_throw() {
  wait();
  if (state)
    state->queue->throw_asynchronous();
}

DOVETAIL_HOST_BODY void event::wait_and_throw(const std::vector<event> &events) {
  wait(events);
  for (event e : events)
    e.wait_and_throw();
}

DOVETAIL_HOST_BODY std::vector<event> event::get_wait_list() const {
  std::vector<event> list;
  if (state)
    for (const std::weak_ptr<detail::event_state> &each : state->before)
      if (auto existing = each.lock())
        list.push_back(detail::event_access::make(std::move(existing)));
  return list;
}

template <typename Query> typename Query::return_type event::get_info() const {
  if constexpr (std::is_same_v<Query, info::event::reference_count>)
    return static_cast<std::uint32_t>(state.use_count());
  else {
    static_assert(std::is_same_v<Query, info::event::command_execution_status>,
                  "not a query that an event answers");
    std::uint32_t done = 1;
    if (state)
      detail::host::call(&detail::host::api_table::event_is_done, state->handle, &done);
    return done ? info::event_command_status::complete : info::event_command_status::submitted;
  }
}

template <typename Query> typename Query::return_type event::get_profiling_info() const {
  namespace ask = info::event_profiling;
  constexpr bool submit = std::is_same_v<Query, ask::command_submit>;
  constexpr bool start = std::is_same_v<Query, ask::command_start>;
  static_assert(submit || start || std::is_same_v<Query, ask::command_end>,
                "not a time that an event has");
  if (!state || !state->queue->profiled())
    detail::fail(errc::invalid, "the event's queue was made without property enable_profiling");
  std::uint32_t which = submit ? 0 : start ? 1 : 2;
  std::uint64_t time = 0;
  detail::host::call(&detail::host::api_table::event_time, state->command, which, &time);
  return time;
}

} // namespace _V1
} // namespace sycl

// event: the completion of submitted work.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <sycl/info/event.hpp>
#include <vector>

namespace sycl {
inline namespace _V1 {

namespace detail {
class event_state;
struct event_access;
} // namespace detail

class event {
public:
  // A complete event without work.
  event() = default;

  void wait();
  static void wait(const std::vector<event> &events);

  // Also passes errors of the work's queue to its handler.
  void wait_and_throw();
  static void wait_and_throw(const std::vector<event> &events);

  // The events that the command group named and of which objects still exist.
  std::vector<event> get_wait_list() const;

  template <typename Query> typename Query::return_type get_info() const;
  template <typename Query> typename Query::return_type get_profiling_info() const;

  friend bool operator==(const event &left, const event &right) {
    return left.state == right.state;
  }
  friend bool operator!=(const event &left, const event &right) { return !(left == right); }

private:
  friend struct detail::event_access;
  friend struct std::hash<event>;

  explicit event(std::shared_ptr<detail::event_state> state);

  std::shared_ptr<detail::event_state> state;
};

} // namespace _V1
} // namespace sycl

template <> struct std::hash<sycl::event> {
  std::size_t operator()(const sycl::event &e) const {
    return std::hash<std::shared_ptr<sycl::detail::event_state>>()(e.state);
  }
};

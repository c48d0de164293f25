// Free functions that submit work, and return events only where their name says so.
#pragma once

#include <cstddef>
#include <sycl/event.hpp>
#include <sycl/ext/oneapi/properties/properties.hpp>
#include <sycl/handler.hpp>
#include <sycl/nd_range.hpp>
#include <sycl/queue.hpp>
#include <sycl/range.hpp>
#include <type_traits>
#include <utility>
#include <vector>

namespace sycl {
inline namespace _V1 {
namespace ext::oneapi::experimental {

namespace detail {
struct launch_access;

template <typename Target>
using if_handler_or_queue = std::enable_if_t<std::is_same_v<std::decay_t<Target>, handler> ||
                                                 std::is_same_v<std::decay_t<Target>, queue>,
                                             int>;
} // namespace detail

// A range or nd_range, and properties of the kernel.
template <typename Range, typename Properties = empty_properties_t> class launch_config {
public:
  launch_config(Range size, Properties properties = {}) : size(size), properties(properties) {}

private:
  friend struct detail::launch_access;

  Range size;
  Properties properties;
};

namespace detail {
struct launch_access {
  template <typename Name, typename Config, typename... Work>
  static void start(handler &h, const Config &config, const Work &...work) {
    h.parallel_for<Name>(config.size, config.properties, work...);
  }
};
} // namespace detail

template <typename Function> void submit(queue q, Function &&function) {
  q.submit(std::forward<Function>(function));
}
template <typename Function> event submit_with_event(queue q, Function &&function) {
  return q.submit(std::forward<Function>(function));
}

template <typename Name = sycl::detail::unnamed_kernel, typename Kernel>
void single_task(handler &h, const Kernel &kernel) {
  h.single_task<Name>(kernel);
}
template <typename Name = sycl::detail::unnamed_kernel, typename Kernel>
void single_task(queue q, const Kernel &kernel) {
  submit(q, [&](handler &h) { single_task<Name>(h, kernel); });
}

// Work is a kernel, which reductions may precede.
#define DOVETAIL_LAUNCH(NAME, RANGE)                                                               \
  template <typename Name = sycl::detail::unnamed_kernel, int Dimensions, typename... Work>        \
  void NAME(handler &h, RANGE<Dimensions> size, const Work &...work) {                             \
    h.parallel_for<Name>(size, work...);                                                           \
  }                                                                                                \
  template <typename Name = sycl::detail::unnamed_kernel, int Dimensions, typename... Work>        \
  void NAME(queue q, RANGE<Dimensions> size, const Work &...work) {                                \
    submit(q, [&](handler &h) { h.parallel_for<Name>(size, work...); });                           \
  }                                                                                                \
  template <typename Name = sycl::detail::unnamed_kernel, int Dimensions, typename Properties,     \
            typename... Work>                                                                      \
  void NAME(handler &h, const launch_config<RANGE<Dimensions>, Properties> &config,                \
            const Work &...work) {                                                                 \
    detail::launch_access::start<Name>(h, config, work...);                                        \
  }                                                                                                \
  template <typename Name = sycl::detail::unnamed_kernel, int Dimensions, typename Properties,     \
            typename... Work>                                                                      \
  void NAME(queue q, const launch_config<RANGE<Dimensions>, Properties> &config,                   \
            const Work &...work) {                                                                 \
    submit(q, [&](handler &h) { detail::launch_access::start<Name>(h, config, work...); });        \
  }

DOVETAIL_LAUNCH(parallel_for, range)
DOVETAIL_LAUNCH(nd_launch, nd_range)
#undef DOVETAIL_LAUNCH

template <typename Function> void host_task(handler &h, Function &&function) {
  h.host_task(std::forward<Function>(function));
}
template <typename Function> void host_task(queue q, Function &&function) {
  submit(q, [&](handler &h) { h.host_task(std::forward<Function>(function)); });
}

// Commands on memory. Target is a handler or a queue.

template <typename Target, detail::if_handler_or_queue<Target> = 0>
void memcpy(Target &&target, void *to, const void *from, std::size_t size) {
  target.memcpy(to, from, size);
}
template <typename DataT, typename Target, detail::if_handler_or_queue<Target> = 0>
void copy(Target &&target, const DataT *from, DataT *to, std::size_t count) {
  target.copy(from, to, count);
}
template <typename Target, detail::if_handler_or_queue<Target> = 0>
void memset(Target &&target, void *to, int value, std::size_t size) {
  target.memset(to, value, size);
}
template <typename DataT, typename Target, detail::if_handler_or_queue<Target> = 0>
void fill(Target &&target, DataT *to, const DataT &pattern, std::size_t count) {
  target.fill(to, pattern, count);
}
template <typename Target, detail::if_handler_or_queue<Target> = 0>
void prefetch(Target &&target, void *address, std::size_t size) {
  target.prefetch(address, size);
}
template <typename Target, detail::if_handler_or_queue<Target> = 0>
void mem_advise(Target &&target, void *address, std::size_t size, int advice) {
  target.mem_advise(address, size, advice);
}

inline void barrier(handler &h) { h.ext_oneapi_barrier(); }
inline void barrier(queue q) { q.ext_oneapi_submit_barrier(); }
inline void partial_barrier(handler &h, const std::vector<event> &events) {
  h.ext_oneapi_barrier(events);
}
inline void partial_barrier(queue q, const std::vector<event> &events) {
  q.ext_oneapi_submit_barrier(events);
}

} // namespace ext::oneapi::experimental
} // namespace _V1
} // namespace sycl

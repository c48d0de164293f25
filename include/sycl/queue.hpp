// queue: submits work to a device.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <sycl/async_handler.hpp>
#include <sycl/backend.hpp>
#include <sycl/context.hpp>
#include <sycl/detail/declarations.hpp>
#include <sycl/detail/deprecated.hpp>
#include <sycl/detail/kernel_name.hpp>
#include <sycl/detail/selector.hpp>
#include <sycl/device.hpp>
#include <sycl/event.hpp>
#include <sycl/ext/oneapi/device_global/device_global.hpp>
#include <sycl/handler.hpp>
#include <sycl/info/queue.hpp>
#include <sycl/nd_range.hpp>
#include <sycl/property/queue.hpp>
#include <sycl/property_list.hpp>
#include <sycl/range.hpp>
#include <type_traits>
#include <utility>
#include <vector>

namespace sycl {
inline namespace _V1 {

namespace detail {
class queue_state;
struct queue_access;
} // namespace detail

class queue {
public:
  explicit queue(const property_list &properties = {});
  explicit queue(const async_handler &handler, const property_list &properties = {});

  template <typename Selector, detail::if_selector<Selector> = 0>
  explicit queue(const Selector &selector, const property_list &properties = {})
      : queue(device(selector), properties) {}
  template <typename Selector, detail::if_selector<Selector> = 0>
  explicit queue(const Selector &selector, const async_handler &handler,
                 const property_list &properties = {})
      : queue(device(selector), handler, properties) {}
  DOVETAIL_DEPRECATED("use a callable, such as default_selector_v")
  queue(const device_selector &selector, const property_list &properties = {})
      : queue(device(selector), properties) {}
  DOVETAIL_DEPRECATED("use a callable, such as default_selector_v")
  queue(const device_selector &selector, const async_handler &handler,
        const property_list &properties = {})
      : queue(device(selector), handler, properties) {}

  explicit queue(const device &runs_on, const property_list &properties = {});
  explicit queue(const device &runs_on, const async_handler &handler,
                 const property_list &properties = {});

  template <typename Selector, detail::if_selector<Selector> = 0>
  explicit queue(const context &where, const Selector &selector,
                 const property_list &properties = {})
      : queue(where, device(selector), properties) {}
  template <typename Selector, detail::if_selector<Selector> = 0>
  explicit queue(const context &where, const Selector &selector, const async_handler &handler,
                 const property_list &properties = {})
      : queue(where, device(selector), handler, properties) {}
  DOVETAIL_DEPRECATED("use a callable, such as default_selector_v")
  queue(const context &where, const device_selector &selector, const property_list &properties = {})
      : queue(where, device(selector), properties) {}
  DOVETAIL_DEPRECATED("use a callable, such as default_selector_v")
  queue(const context &where, const device_selector &selector, const async_handler &handler,
        const property_list &properties = {})
      : queue(where, device(selector), handler, properties) {}

  explicit queue(const context &where, const device &runs_on, const property_list &properties = {});
  explicit queue(const context &where, const device &runs_on, const async_handler &handler,
                 const property_list &properties = {});

  backend get_backend() const noexcept;
  context get_context() const;
  device get_device() const;
  bool is_in_order() const;
  template <typename Query> typename Query::return_type get_info() const;

  template <typename Property> bool has_property() const noexcept {
    return get_properties().has_property<Property>();
  }
  template <typename Property> Property get_property() const {
    return get_properties().get_property<Property>();
  }

  // Calls the function with a handler, at once.
  template <typename Function> event submit(Function function) {
    return submit_group([](void *f, handler &h) { (*static_cast<Function *>(f))(h); }, &function);
  }

  // If the submission fails, tries another queue.
  template <typename Function> event submit(Function function, const queue &secondary) {
    return submit_group([](void *f, handler &h) { (*static_cast<Function *>(f))(h); }, &function,
                        secondary);
  }

  // Whether all submitted work is done.
  bool ext_oneapi_empty() const;
  bool khr_empty() const { return ext_oneapi_empty(); }

  void wait();
  void wait_and_throw();
  void throw_asynchronous();

  // Shortcuts: command groups with a single command. `Work` is optional properties and a kernel.

  template <typename Name = detail::unnamed_kernel, typename... Work>
  event single_task(const Work &...work) {
    return submit([&](handler &h) { h.single_task<Name>(work...); });
  }
  template <typename Name = detail::unnamed_kernel, typename... Work>
  event single_task(event before, const Work &...work) {
    return submit([&](handler &h) {
      h.depends_on(before);
      h.single_task<Name>(work...);
    });
  }
  template <typename Name = detail::unnamed_kernel, typename... Work>
  event single_task(const std::vector<event> &before, const Work &...work) {
    return submit([&](handler &h) {
      h.depends_on(before);
      h.single_task<Name>(work...);
    });
  }

  // One overload for each number of dimensions, as in the handler.
#define DOVETAIL_PARALLEL_FOR(SIZE, ...)                                                           \
  template <typename Name = detail::unnamed_kernel, __VA_ARGS__ typename... Work>                  \
  event parallel_for(SIZE size, const Work &...work) {                                             \
    return submit([&](handler &h) { h.parallel_for<Name>(size, work...); });                       \
  }                                                                                                \
  template <typename Name = detail::unnamed_kernel, __VA_ARGS__ typename... Work>                  \
  event parallel_for(SIZE size, event before, const Work &...work) {                               \
    return submit([&](handler &h) {                                                                \
      h.depends_on(before);                                                                        \
      h.parallel_for<Name>(size, work...);                                                         \
    });                                                                                            \
  }                                                                                                \
  template <typename Name = detail::unnamed_kernel, __VA_ARGS__ typename... Work>                  \
  event parallel_for(SIZE size, const std::vector<event> &before, const Work &...work) {           \
    return submit([&](handler &h) {                                                                \
      h.depends_on(before);                                                                        \
      h.parallel_for<Name>(size, work...);                                                         \
    });                                                                                            \
  }

#define DOVETAIL_COMMA ,
  DOVETAIL_PARALLEL_FOR(range<1>)
  DOVETAIL_PARALLEL_FOR(range<2>)
  DOVETAIL_PARALLEL_FOR(range<3>)
  DOVETAIL_PARALLEL_FOR(nd_range<Dimensions>, int Dimensions DOVETAIL_COMMA)
#undef DOVETAIL_COMMA
#undef DOVETAIL_PARALLEL_FOR

  event memcpy(void *to, const void *from, std::size_t size) {
    return memcpy(to, from, size, std::vector<event>());
  }
  event memcpy(void *to, const void *from, std::size_t size, event before) {
    return memcpy(to, from, size, std::vector<event>{before});
  }
  event memcpy(void *to, const void *from, std::size_t size, const std::vector<event> &before);

  event memset(void *to, int value, std::size_t size) {
    return memset(to, value, size, std::vector<event>());
  }
  event memset(void *to, int value, std::size_t size, event before) {
    return memset(to, value, size, std::vector<event>{before});
  }
  event memset(void *to, int value, std::size_t size, const std::vector<event> &before);

  event prefetch(const void *address, std::size_t size) {
    return prefetch(address, size, std::vector<event>());
  }
  event prefetch(const void *address, std::size_t size, event before) {
    return prefetch(address, size, std::vector<event>{before});
  }
  event prefetch(const void *address, std::size_t size, const std::vector<event> &before);

  event mem_advise(const void *address, std::size_t size, int advice) {
    return mem_advise(address, size, advice, std::vector<event>());
  }
  event mem_advise(const void *address, std::size_t size, int advice, event before) {
    return mem_advise(address, size, advice, std::vector<event>{before});
  }
  event mem_advise(const void *address, std::size_t size, int advice,
                   const std::vector<event> &before);

  template <typename DataT> event copy(const DataT *from, DataT *to, std::size_t count) {
    return copy(from, to, count, std::vector<event>());
  }
  template <typename DataT>
  event copy(const DataT *from, DataT *to, std::size_t count, event before) {
    return copy(from, to, count, std::vector<event>{before});
  }
  template <typename DataT>
  event copy(const DataT *from, DataT *to, std::size_t count, const std::vector<event> &before) {
    return submit([&](handler &h) {
      h.depends_on(before);
      h.copy(from, to, count);
    });
  }

  template <typename DataT> event fill(void *to, const DataT &pattern, std::size_t count) {
    return fill(to, pattern, count, std::vector<event>());
  }
  template <typename DataT>
  event fill(void *to, const DataT &pattern, std::size_t count, event before) {
    return fill(to, pattern, count, std::vector<event>{before});
  }
  template <typename DataT>
  event fill(void *to, const DataT &pattern, std::size_t count, const std::vector<event> &before) {
    return submit([&](handler &h) {
      h.depends_on(before);
      h.fill(to, pattern, count);
    });
  }

  // Copies and fills of two dimensions, as in the handler. `Before` is an event or several, if any.

  template <typename... Before>
  event ext_oneapi_memcpy2d(void *to, std::size_t to_pitch, const void *from,
                            std::size_t from_pitch, std::size_t width, std::size_t height,
                            const Before &...before) {
    return submit([&](handler &h) {
      (h.depends_on(before), ...);
      h.ext_oneapi_memcpy2d(to, to_pitch, from, from_pitch, width, height);
    });
  }
  template <typename DataT, typename... Before>
  event ext_oneapi_copy2d(const DataT *from, std::size_t from_pitch, DataT *to,
                          std::size_t to_pitch, std::size_t width, std::size_t height,
                          const Before &...before) {
    return submit([&](handler &h) {
      (h.depends_on(before), ...);
      h.ext_oneapi_copy2d(from, from_pitch, to, to_pitch, width, height);
    });
  }
  template <typename... Before>
  event ext_oneapi_memset2d(void *to, std::size_t pitch, int value, std::size_t width,
                            std::size_t height, const Before &...before) {
    return submit([&](handler &h) {
      (h.depends_on(before), ...);
      h.ext_oneapi_memset2d(to, pitch, value, width, height);
    });
  }
  template <typename DataT, typename... Before>
  event ext_oneapi_fill2d(void *to, std::size_t pitch, const DataT &pattern, std::size_t width,
                          std::size_t height, const Before &...before) {
    return submit([&](handler &h) {
      (h.depends_on(before), ...);
      h.ext_oneapi_fill2d(to, pitch, pattern, width, height);
    });
  }

  // Device globals, as in the handler.

#define DOVETAIL_GLOBAL_COPY(NAME, TO, FROM, UNIT)                                                 \
  template <typename DataT, typename List>                                                         \
  event NAME(TO, FROM, std::size_t count = UNIT, std::size_t start = 0) {                          \
    return submit([&](handler &h) { h.NAME(first, second, count, start); });                       \
  }                                                                                                \
  template <typename DataT, typename List>                                                         \
  event NAME(TO, FROM, std::size_t count, std::size_t start, event before) {                       \
    return submit([&](handler &h) {                                                                \
      h.depends_on(before);                                                                        \
      h.NAME(first, second, count, start);                                                         \
    });                                                                                            \
  }                                                                                                \
  template <typename DataT, typename List>                                                         \
  event NAME(TO, FROM, std::size_t count, std::size_t start, const std::vector<event> &before) {   \
    return submit([&](handler &h) {                                                                \
      h.depends_on(before);                                                                        \
      h.NAME(first, second, count, start);                                                         \
    });                                                                                            \
  }

#define DOVETAIL_GLOBAL ext::oneapi::experimental::device_global<DataT DOVETAIL_COMMA List>
#define DOVETAIL_COMMA ,
  DOVETAIL_GLOBAL_COPY(memcpy, DOVETAIL_GLOBAL &first, const void *second, sizeof(DataT))
  DOVETAIL_GLOBAL_COPY(memcpy, void *first, const DOVETAIL_GLOBAL &second, sizeof(DataT))
  DOVETAIL_GLOBAL_COPY(copy, const std::remove_all_extents_t<DataT> *first, DOVETAIL_GLOBAL &second,
                       detail::global_count<DataT>)
  DOVETAIL_GLOBAL_COPY(copy, const DOVETAIL_GLOBAL &first, std::remove_all_extents_t<DataT> *second,
                       detail::global_count<DataT>)
#undef DOVETAIL_COMMA
#undef DOVETAIL_GLOBAL
#undef DOVETAIL_GLOBAL_COPY

  // With placeholder accessors.

  template <typename DataT, int Dimensions, access_mode Mode, target Target,
            access::placeholder IsPlaceholder, typename Properties, typename To>
  event copy(accessor<DataT, Dimensions, Mode, Target, IsPlaceholder, Properties> from, To *to) {
    return submit([&](handler &h) {
      h.require(from);
      h.copy(from, to);
    });
  }
  template <typename DataT, int Dimensions, access_mode Mode, target Target,
            access::placeholder IsPlaceholder, typename Properties, typename To>
  event copy(accessor<DataT, Dimensions, Mode, Target, IsPlaceholder, Properties> from,
             std::shared_ptr<To> to) {
    return submit([&](handler &h) {
      h.require(from);
      h.copy(from, to);
    });
  }
  template <typename From, typename DataT, int Dimensions, access_mode Mode, target Target,
            access::placeholder IsPlaceholder, typename Properties>
  event copy(const From *from,
             accessor<DataT, Dimensions, Mode, Target, IsPlaceholder, Properties> to) {
    return submit([&](handler &h) {
      h.require(to);
      h.copy(from, to);
    });
  }
  template <typename From, typename DataT, int Dimensions, access_mode Mode, target Target,
            access::placeholder IsPlaceholder, typename Properties>
  event copy(std::shared_ptr<From> from,
             accessor<DataT, Dimensions, Mode, Target, IsPlaceholder, Properties> to) {
    return submit([&](handler &h) {
      h.require(to);
      h.copy(from, to);
    });
  }
  template <typename DataT, int Dimensions, access_mode Mode, target Target,
            access::placeholder IsPlaceholder, typename Properties, typename OtherT,
            int OtherDimensions, access_mode OtherMode, target OtherTarget,
            access::placeholder OtherIsPlaceholder, typename OtherProperties>
  event copy(
      accessor<DataT, Dimensions, Mode, Target, IsPlaceholder, Properties> from,
      accessor<OtherT, OtherDimensions, OtherMode, OtherTarget, OtherIsPlaceholder, OtherProperties>
          to) {
    return submit([&](handler &h) {
      h.require(from);
      h.require(to);
      h.copy(from, to);
    });
  }
  template <typename DataT, int Dimensions, access_mode Mode, target Target,
            access::placeholder IsPlaceholder, typename Properties>
  event update_host(accessor<DataT, Dimensions, Mode, Target, IsPlaceholder, Properties> from) {
    return submit([&](handler &h) {
      h.require(from);
      h.update_host(from);
    });
  }
  template <typename DataT, int Dimensions, access_mode Mode, target Target,
            access::placeholder IsPlaceholder, typename Properties>
  event fill(accessor<DataT, Dimensions, Mode, Target, IsPlaceholder, Properties> to,
             const DataT &value) {
    return submit([&](handler &h) {
      h.require(to);
      h.fill(to, value);
    });
  }

  // The event is complete when all earlier work, or the given events, are; later work waits.
  event ext_oneapi_submit_barrier();
  event ext_oneapi_submit_barrier(const std::vector<event> &events);

  friend bool operator==(const queue &left, const queue &right) {
    return left.state == right.state;
  }
  friend bool operator!=(const queue &left, const queue &right) { return !(left == right); }

private:
  friend struct detail::queue_access;
  friend struct std::hash<queue>;

  const property_list &get_properties() const noexcept;

  // A plain function and what it works on: this is instantiated for each command group.
  event submit_group(void (*call)(void *function, handler &h), void *function);
  event submit_group(void (*call)(void *function, handler &h), void *function, queue secondary);

  std::shared_ptr<detail::queue_state> state;
};

} // namespace _V1
} // namespace sycl

template <> struct std::hash<sycl::queue> {
  std::size_t operator()(const sycl::queue &q) const {
    return std::hash<std::shared_ptr<sycl::detail::queue_state>>()(q.state);
  }
};

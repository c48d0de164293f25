// handler: collects the requirements and the command of a command group.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <sycl/bundle_state.hpp>
#include <sycl/detail/accessor_access.hpp>
#include <sycl/detail/buffer_state.hpp>
#include <sycl/detail/declarations.hpp>
#include <sycl/detail/deprecated.hpp>
#include <sycl/detail/device_global_storage.hpp>
#include <sycl/detail/fail.hpp>
#include <sycl/detail/host_task_memory.hpp>
#include <sycl/detail/kernel_entry.hpp>
#include <sycl/detail/kernel_name.hpp>
#include <sycl/detail/kernel_properties.hpp>
#include <sycl/detail/launch_shape.hpp>
#include <sycl/detail/memory_region.hpp>
#include <sycl/detail/reduction_launch.hpp>
#include <sycl/detail/reduction_variable.hpp>
#include <sycl/errc.hpp>
#include <sycl/event.hpp>
#include <sycl/ext/oneapi/device_global/device_global.hpp>
#include <sycl/ext/oneapi/properties/properties.hpp>
#include <sycl/id.hpp>
#include <sycl/interop_handle.hpp>
#include <sycl/nd_range.hpp>
#include <sycl/range.hpp>
#include <sycl/specialization_id.hpp>
#include <type_traits>
#include <utility>
#include <vector>

namespace sycl {
inline namespace _V1 {

template <bundle_state State> class kernel_bundle;

namespace detail {
class command_group;
class stream_state;
struct handler_access;
} // namespace detail

class handler {
public:
  handler(const handler &) = delete;
  handler &operator=(const handler &) = delete;
  ~handler();

  // For accessors that were made without a handler.
  template <typename DataT, int Dimensions, access_mode Mode, target Target,
            access::placeholder IsPlaceholder, typename Properties>
  void require(const accessor<DataT, Dimensions, Mode, Target, IsPlaceholder, Properties> &a) {
    detail::accessor_access::require(*this, a);
  }

  // The kernel that the command group starts must be one of the bundle's.
  void use_kernel_bundle(const kernel_bundle<bundle_state::executable> &bundle);

  // The value of a specialization constant for the kernel of this command group. A kernel bundle
  // has its own values.
  template <auto &Id> void set_specialization_constant(detail::specialized_type<Id> value) {
    set_constant(detail::specialization_access::identifier(Id), __builtin_addressof(value),
                 sizeof(value));
  }
  template <auto &Id> detail::specialized_type<Id> get_specialization_constant() const {
    detail::specialized_value<detail::specialized_type<Id>> value;
    if (get_constant(detail::specialization_access::identifier(Id), value.bytes, sizeof(value)))
      return value.get();
    return detail::specialization_access::initial(Id);
  }

  void depends_on(const event &e);
  void depends_on(const std::vector<event> &events);

  // Kernels, which may be given properties and, before the kernel, reductions.

  template <typename Name = detail::unnamed_kernel, typename Kernel>
  void single_task(const Kernel &kernel) {
    start_task<Name, detail::kernel_properties<Kernel>>(kernel);
  }
  template <typename Name = detail::unnamed_kernel, typename List, typename Kernel>
  void single_task(const ext::oneapi::experimental::properties<List> &, const Kernel &kernel) {
    start_task<Name, detail::kernel_properties<Kernel, List>>(kernel);
  }

  // One overload for each number of dimensions, so that `parallel_for(n, ...)` and
  // `parallel_for({n, m}, ...)` find theirs.
#define DOVETAIL_PARALLEL_FOR(SIZE, START, ...)                                                    \
  template <typename Name = detail::unnamed_kernel, __VA_ARGS__ typename Kernel>                   \
  void parallel_for(SIZE size, const Kernel &kernel) {                                             \
    START<Name, detail::kernel_properties<Kernel>>(size, kernel);                                  \
  }                                                                                                \
  template <typename Name = detail::unnamed_kernel, __VA_ARGS__ typename List, typename Kernel>    \
  void parallel_for(SIZE size, const ext::oneapi::experimental::properties<List> &,                \
                    const Kernel &kernel) {                                                        \
    START<Name, detail::kernel_properties<Kernel, List>>(size, kernel);                            \
  }                                                                                                \
  template <typename Name = detail::unnamed_kernel, __VA_ARGS__ typename Reduction,                \
            typename... Rest, std::enable_if_t<detail::is_reduction<Reduction>, int> = 0>          \
  void parallel_for(SIZE size, const Reduction &first, const Rest &...rest) {                      \
    detail::reduction_launch::start<Name, void>(*this, size, first, rest...);                      \
  }                                                                                                \
  template <typename Name = detail::unnamed_kernel, __VA_ARGS__ typename List, typename Reduction, \
            typename... Rest, std::enable_if_t<detail::is_reduction<Reduction>, int> = 0>          \
  void parallel_for(SIZE size, const ext::oneapi::experimental::properties<List> &,                \
                    const Reduction &first, const Rest &...rest) {                                 \
    detail::reduction_launch::start<Name, List>(*this, size, first, rest...);                      \
  }

#define DOVETAIL_COMMA ,
  DOVETAIL_PARALLEL_FOR(range<1>, start_range)
  DOVETAIL_PARALLEL_FOR(range<2>, start_range)
  DOVETAIL_PARALLEL_FOR(range<3>, start_range)
  DOVETAIL_PARALLEL_FOR(nd_range<Dimensions>, start_nd_range, int Dimensions DOVETAIL_COMMA)
#undef DOVETAIL_COMMA
#undef DOVETAIL_PARALLEL_FOR

  // With the kernel of a bundle, which must be that of the function object.

  template <typename Name = detail::unnamed_kernel, typename Kernel>
  void single_task(const sycl::kernel &bundled, const Kernel &kernel) {
    use_kernel(bundled, detail::kernel_symbol<detail::kernel_name<Name, Kernel>>());
    single_task<Name>(kernel);
  }
  template <typename Name = detail::unnamed_kernel, typename Range, typename Kernel>
  void parallel_for(const sycl::kernel &bundled, Range size, const Kernel &kernel) {
    use_kernel(bundled, detail::kernel_symbol<detail::kernel_name<Name, Kernel>>());
    parallel_for<Name>(size, kernel);
  }

  // Hierarchical kernels, which take a group and call parallel_for_work_item.

  template <typename Name = detail::unnamed_kernel, int Dimensions, typename Kernel>
  void parallel_for_work_group(range<Dimensions> groups, const Kernel &kernel) {
    range<Dimensions> size = groups;
    for (int i = 0; i < Dimensions; ++i)
      size[i] = i == Dimensions - 1 ? default_group_size() : 1;
    parallel_for_work_group<Name>(groups, size, kernel);
  }
  template <typename Name = detail::unnamed_kernel, int Dimensions, typename Kernel>
  void parallel_for_work_group(range<Dimensions> groups, range<Dimensions> size,
                               const Kernel &kernel) {
    using name = detail::kernel_name<Name, Kernel>;
    using entries = detail::kernel_entries<detail::kernel_properties<Kernel>>;
    launch<name>(entries::template over_groups<name, Dimensions, Kernel>, kernel,
                 detail::launch_shape(nd_range<Dimensions>(groups * size, size)));
  }

  // Positions start from `offset`.
  template <typename Name = detail::unnamed_kernel, int Dimensions, typename Kernel>
  DOVETAIL_DEPRECATED("SYCL 2020 deprecates offsets")
  void parallel_for(range<Dimensions> size, id<Dimensions> offset, const Kernel &kernel) {
    start_range<Name, detail::kernel_properties<Kernel>>(size, kernel, offset);
  }

  // Calls the function, which may accept an interop_handle, in a thread of the runtime once the
  // requirements of the command group are complete. Its exceptions are asynchronous errors.
  template <typename Function> void host_task(Function &&function) {
    using stored = std::decay_t<Function>;
    constexpr bool takes_handle = std::is_invocable_v<stored &, interop_handle>;
    static_assert(takes_handle || std::is_invocable_v<stored &>,
                  "a host task takes an interop_handle or nothing");
    auto task = std::make_shared<stored>(std::forward<Function>(function));
    call_on_host([task](const interop_handle &handle) {
      if constexpr (takes_handle)
        (*task)(handle);
      else
        (*task)();
    });
  }

  // Unified shared memory.
  void memcpy(void *to, const void *from, std::size_t size);
  void memset(void *to, int value, std::size_t size);
  void prefetch(const void *address, std::size_t size);
  void mem_advise(const void *address, std::size_t size, int advice);

  template <typename DataT> void copy(const DataT *from, DataT *to, std::size_t count) {
    static_assert(std::is_trivially_copyable_v<DataT>, "copied as bytes");
    memcpy(to, from, count * sizeof(DataT));
  }

  template <typename DataT> void fill(void *to, const DataT &pattern, std::size_t count) {
    static_assert(std::is_trivially_copyable_v<DataT>, "copied as bytes");
    fill_memory(to, &pattern, sizeof(DataT), count);
  }

  // Rows, each `pitch` after the one before. Sizes are in bytes, or in elements where there are
  // elements.
  void ext_oneapi_memcpy2d(void *to, std::size_t to_pitch, const void *from, std::size_t from_pitch,
                           std::size_t width, std::size_t height);
  void ext_oneapi_memset2d(void *to, std::size_t pitch, int value, std::size_t width,
                           std::size_t height);
  template <typename DataT>
  void ext_oneapi_copy2d(const DataT *from, std::size_t from_pitch, DataT *to, std::size_t to_pitch,
                         std::size_t width, std::size_t height) {
    static_assert(std::is_trivially_copyable_v<DataT>, "copied as bytes");
    constexpr std::size_t size = sizeof(DataT);
    ext_oneapi_memcpy2d(to, to_pitch * size, from, from_pitch * size, width * size, height);
  }
  template <typename DataT>
  void ext_oneapi_fill2d(void *to, std::size_t pitch, const DataT &pattern, std::size_t width,
                         std::size_t height) {
    static_assert(std::is_trivially_copyable_v<DataT>, "copied as bytes");
    fill_rows(to, pitch, &pattern, sizeof(DataT), width, height);
  }

  // Device globals: bytes or elements of one, starting at an offset.
  template <typename DataT, typename List>
  void memcpy(ext::oneapi::experimental::device_global<DataT, List> &to, const void *from,
              std::size_t size = sizeof(DataT), std::size_t offset = 0) {
    using variable = ext::oneapi::experimental::device_global<DataT, List>;
    static_assert(ext::oneapi::experimental::detail::host_writes<variable>,
                  "the device_global's property host_access forbids the host to write it");
    check_place(size, offset, sizeof(DataT));
    copy_global(detail::device_global_access::identifier(to),
                detail::device_global_access::element(to), const_cast<void *>(from), size, offset,
                true);
  }

  template <typename DataT, typename List>
  void memcpy(void *to, const ext::oneapi::experimental::device_global<DataT, List> &from,
              std::size_t size = sizeof(DataT), std::size_t offset = 0) {
    using variable = ext::oneapi::experimental::device_global<DataT, List>;
    static_assert(ext::oneapi::experimental::detail::host_reads<variable>,
                  "the device_global's property host_access forbids the host to read it");
    check_place(size, offset, sizeof(DataT));
    copy_global(detail::device_global_access::identifier(from),
                detail::device_global_access::element(from), to, size, offset, false);
  }

  template <typename DataT, typename List>
  void copy(const std::remove_all_extents_t<DataT> *from,
            ext::oneapi::experimental::device_global<DataT, List> &to,
            std::size_t count = detail::global_count<DataT>, std::size_t start = 0) {
    check_place(count, start, detail::global_count<DataT>);
    constexpr std::size_t size = sizeof(std::remove_all_extents_t<DataT>);
    memcpy(to, from, count * size, start * size);
  }

  template <typename DataT, typename List>
  void copy(const ext::oneapi::experimental::device_global<DataT, List> &from,
            std::remove_all_extents_t<DataT> *to, std::size_t count = detail::global_count<DataT>,
            std::size_t start = 0) {
    check_place(count, start, detail::global_count<DataT>);
    constexpr std::size_t size = sizeof(std::remove_all_extents_t<DataT>);
    memcpy(to, from, count * size, start * size);
  }

  // Memory of accessors. The object of a shared pointer is kept alive until the copy is complete.
  template <typename DataT, int Dimensions, access_mode Mode, target Target,
            access::placeholder IsPlaceholder, typename Properties, typename To>
  void copy(accessor<DataT, Dimensions, Mode, Target, IsPlaceholder, Properties> from, To *to) {
    copy_out(detail::accessor_access::handle(from), detail::accessor_access::region(from), to);
  }

  template <typename DataT, int Dimensions, access_mode Mode, target Target,
            access::placeholder IsPlaceholder, typename Properties, typename To>
  void copy(accessor<DataT, Dimensions, Mode, Target, IsPlaceholder, Properties> from,
            std::shared_ptr<To> to) {
    keep(to);
    copy(from, to.get());
  }

  template <typename From, typename DataT, int Dimensions, access_mode Mode, target Target,
            access::placeholder IsPlaceholder, typename Properties>
  void copy(const From *from,
            accessor<DataT, Dimensions, Mode, Target, IsPlaceholder, Properties> to) {
    copy_in(from, detail::accessor_access::handle(to), detail::accessor_access::region(to));
  }

  template <typename From, typename DataT, int Dimensions, access_mode Mode, target Target,
            access::placeholder IsPlaceholder, typename Properties>
  void copy(std::shared_ptr<From> from,
            accessor<DataT, Dimensions, Mode, Target, IsPlaceholder, Properties> to) {
    keep(from);
    copy(static_cast<const std::remove_extent_t<From> *>(from.get()), to);
  }

  template <typename DataT, int Dimensions, access_mode Mode, target Target,
            access::placeholder IsPlaceholder, typename Properties, typename OtherT,
            int OtherDimensions, access_mode OtherMode, target OtherTarget,
            access::placeholder OtherIsPlaceholder, typename OtherProperties>
  void copy(
      accessor<DataT, Dimensions, Mode, Target, IsPlaceholder, Properties> from,
      accessor<OtherT, OtherDimensions, OtherMode, OtherTarget, OtherIsPlaceholder, OtherProperties>
          to) {
    static_assert(sizeof(DataT) == sizeof(OtherT), "elements of the same size");
    if (to.size() < from.size())
      detail::fail(errc::invalid, "copy: the destination is smaller than the source");
    copy_between(detail::accessor_access::handle(from), detail::accessor_access::region(from),
                 detail::accessor_access::handle(to), detail::accessor_access::region(to));
  }

  template <typename DataT, int Dimensions, access_mode Mode, target Target,
            access::placeholder IsPlaceholder, typename Properties>
  void fill(accessor<DataT, Dimensions, Mode, Target, IsPlaceholder, Properties> to,
            const DataT &value) {
    fill_buffer(detail::accessor_access::handle(to), detail::accessor_access::region(to), &value);
  }

  // Updates the host memory that the buffer was created with.
  template <typename DataT, int Dimensions, access_mode Mode, target Target,
            access::placeholder IsPlaceholder, typename Properties>
  void update_host(accessor<DataT, Dimensions, Mode, Target, IsPlaceholder, Properties> from) {
    copy_home(detail::accessor_access::handle(from), detail::accessor_access::region(from));
  }

  // The event is complete when all earlier work, or the given events, are; later work waits.
  void ext_oneapi_barrier();
  void ext_oneapi_barrier(const std::vector<event> &events);

private:
  friend struct detail::handler_access;
  friend struct detail::reduction_launch;

  explicit handler(std::unique_ptr<detail::command_group> group);

  template <typename Name, typename Properties, typename Kernel>
  void start_task(const Kernel &kernel) {
    using name = detail::kernel_name<Name, Kernel>;
    launch<name>(detail::kernel_entries<Properties>::template task<name, Kernel>, kernel,
                 detail::launch_shape());
  }

  template <typename Name, typename Properties, int Dimensions, typename Kernel>
  void start_range(const range<Dimensions> &size, const Kernel &kernel,
                   const id<Dimensions> &offset = {}) {
    using name = detail::kernel_name<Name, Kernel>;
    launch<name>(detail::kernel_entries<Properties>::template over_range<name, Dimensions, Kernel>,
                 kernel, detail::launch_shape(size, offset));
  }

  template <typename Name, typename Properties, int Dimensions, typename Kernel>
  void start_nd_range(const nd_range<Dimensions> &size, const Kernel &kernel) {
    using name = detail::kernel_name<Name, Kernel>;
    launch<name>(
        detail::kernel_entries<Properties>::template over_nd_range<name, Dimensions, Kernel>,
        kernel, detail::launch_shape(size));
  }

  // Named in both compilations so that they instantiate it in the same place; only device
  // compilations generate code for it.
  template <typename Name, typename Kernel>
  void launch(void (*)(Kernel), const Kernel &kernel, const detail::launch_shape &shape) {
    static_assert(std::is_copy_constructible_v<Kernel>, "a kernel is copied to the device");
    launch_kernel(detail::kernel_symbol<Name>(), __builtin_addressof(kernel), sizeof(Kernel),
                  shape);
  }

  void use_kernel(const sycl::kernel &bundled, const char *symbol);

  // Of hierarchical kernels that are started without one.
  std::size_t default_group_size() const;

  void set_constant(const char *identifier, const void *value, std::size_t size);
  // Returns whether the command group has set it.
  bool get_constant(const char *identifier, void *value, std::size_t size) const;

  void launch_kernel(const char *symbol, const void *object, std::size_t size,
                     const detail::launch_shape &shape);
  static void check_place(std::size_t count, std::size_t start, std::size_t most) {
    if (start > most || count > most - start)
      detail::fail(errc::invalid, "the copy goes beyond the end of the device_global");
  }

  detail::reduction_blocks divide_range(const detail::launch_shape &size) const;
  // Memory for the kernel of the command group, which begins with a counter that is zero and that
  // the kernel leaves zero.
  void *take_scratch(std::size_t size);

  void copy_global(const char *identifier, std::size_t element, void *memory, std::size_t size,
                   std::size_t offset, bool writes);
  void fill_memory(void *to, const void *pattern, std::size_t size, std::size_t count);
  void fill_rows(void *to, std::size_t pitch, const void *pattern, std::size_t size,
                 std::size_t width, std::size_t height);
  void copy_out(std::uint64_t from, const detail::memory_region &region, void *to);
  void copy_in(const void *from, std::uint64_t to, const detail::memory_region &region);
  void copy_between(std::uint64_t from, const detail::memory_region &from_region, std::uint64_t to,
                    const detail::memory_region &to_region);
  void fill_buffer(std::uint64_t to, const detail::memory_region &region, const void *value);
  void copy_home(std::uint64_t from, const detail::memory_region &region);
  void keep(std::shared_ptr<const void> owner);
  void call_on_host(std::function<void(const interop_handle &)> task);

  std::unique_ptr<detail::command_group> group;
};

namespace detail {

// The interface of queues and accessors to a handler.
struct handler_access {
  static handler make(std::unique_ptr<command_group> group);
  static command_group &group(handler &h);

  // The state is null where the accessor is a placeholder and knows only the handle.
  static void require(handler &h, std::uint64_t handle, std::uint32_t bits,
                      std::shared_ptr<buffer_state> state);
  // Receives the address of the content before a host task is called.
  static void use_in_host_task(handler &h, std::uint64_t handle,
                               const std::shared_ptr<host_task_place> &place);
  static interop_handle make_interop_handle(backend where);
  // Its output is printed when the command is complete.
  static void add_stream(handler &h, std::shared_ptr<stream_state> state);
};

} // namespace detail
} // namespace _V1
} // namespace sycl

// The members of class handler.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <sycl/backend.hpp>
#include <sycl/bundle_state.hpp>
#include <sycl/detail/access_bits.hpp>
#include <sycl/detail/fail.hpp>
#include <sycl/detail/host/api.hpp>
#include <sycl/detail/host/body.hpp>
#include <sycl/detail/host/command_group.hpp>
#include <sycl/detail/host/kernel.hpp>
#include <sycl/detail/host/kernel_id.hpp>
#include <sycl/detail/host/region_copy.hpp>
#include <sycl/detail/host/runtime.hpp>
#include <sycl/detail/host_task_memory.hpp>
#include <sycl/detail/launch_shape.hpp>
#include <sycl/detail/memory_region.hpp>
#include <sycl/errc.hpp>
#include <sycl/event.hpp>
#include <sycl/handler.hpp>
#include <sycl/interop_handle.hpp>
#include <sycl/kernel.hpp>
#include <sycl/kernel_bundle.hpp>
#include <utility>
#include <vector>

namespace sycl {
inline namespace _V1 {
namespace detail {

DOVETAIL_HOST_BODY handler handler_access::make(std::unique_ptr<command_group> group) {
  return handler(std::move(group));
}

DOVETAIL_HOST_BODY command_group &handler_access::group(handler &h) { return *h.group; }

DOVETAIL_HOST_BODY void handler_access::require(handler &h, std::uint64_t handle,
                                                std::uint32_t bits,
                                                std::shared_ptr<buffer_state> state) {
  h.group->require(handle, bits, std::move(state));
}

DOVETAIL_HOST_BODY void
handler_access::use_in_host_task(handler &h, std::uint64_t handle,
                                 const std::shared_ptr<host_task_place> &place) {
  h.group->use_in_host_task(handle, place);
}

DOVETAIL_HOST_BODY interop_handle handler_access::make_interop_handle(backend where) {
  return interop_handle(where);
}

DOVETAIL_HOST_BODY void handler_access::add_stream(handler &h,
                                                   std::shared_ptr<stream_state> state) {
  h.group->add_stream(std::move(state));
}

namespace host {

DOVETAIL_HOST_BODY bool is_empty(const launch_shape &shape) {
  return std::find(shape.global, shape.global + 3, std::size_t{0}) != shape.global + 3;
}

DOVETAIL_HOST_BODY void check_local_size(const launch_shape &shape) {
  for (int i = 0; i < shape.dimensions; ++i) {
    if (shape.local[i] == 0)
      fail(errc::nd_range, "the local size of an nd_range is zero");
    if (shape.global[i] % shape.local[i] != 0)
      fail(errc::nd_range, "the global size of an nd_range must be a multiple of its local size");
  }
}

DOVETAIL_HOST_BODY void check_rows(std::size_t pitch, std::size_t width) {
  if (pitch < width)
    fail(errc::invalid, "the pitch of rows must not be smaller than their width");
}

} // namespace host
} // namespace detail

DOVETAIL_HOST_BODY handler::handler(std::unique_ptr<detail::command_group> group)
    : group(std::move(group)) {}
DOVETAIL_HOST_BODY handler::~handler() = default;

DOVETAIL_HOST_BODY void handler::depends_on(const event &e) { group->depend_on(e); }

DOVETAIL_HOST_BODY void handler::depends_on(const std::vector<event> &events) {
  for (const event &e : events)
    group->depend_on(e);
}

DOVETAIL_HOST_BODY void
handler::use_kernel_bundle(const kernel_bundle<bundle_state::executable> &bundle) {
  group->use_bundle(detail::kernel_bundle_access::state(bundle));
}

DOVETAIL_HOST_BODY void handler::use_kernel(const sycl::kernel &bundled, const char *symbol) {
  if (!(detail::kernel_access::id(bundled) == detail::find_kernel(symbol)))
    detail::fail(errc::invalid, "the kernel of the bundle is not that of the function object");
  use_kernel_bundle(bundled.get_kernel_bundle());
}

DOVETAIL_HOST_BODY std::size_t handler::default_group_size() const {
  constexpr std::size_t usual = 32;
  return std::min(usual, group->get_device().get_info<info::device::max_work_group_size>());
}

DOVETAIL_HOST_BODY void handler::set_constant(const char *identifier, const void *value,
                                              std::size_t size) {
  group->own_constants().set(identifier, value, size);
}

DOVETAIL_HOST_BODY bool handler::get_constant(const char *identifier, void *value,
                                              std::size_t size) const {
  return group->own_constants().get(identifier, value, size);
}

DOVETAIL_HOST_BODY void handler::launch_kernel(const char *symbol, const void *object,
                                               std::size_t size,
                                               const detail::launch_shape &shape) {
  detail::host::check_symbol(symbol);
  if (shape.has_local)
    detail::host::check_local_size(shape);
  group->set_kernel(symbol);
  // The user's object may be gone before the command group is complete.
  std::vector<unsigned char> bytes(size);
  std::memcpy(bytes.data(), object, size);
  bool nothing_to_do = detail::host::is_empty(shape);
  std::uint64_t constants = group->own_constants_number();
  group->set_command([=, group = group.get(), bytes = std::move(bytes)](
                         detail::host::handle queue, const detail::host::requirements &needs,
                         detail::host::handle *event) {
    using detail::host::api_table;
    if (nothing_to_do)
      return detail::host::call(&api_table::submit_marker, queue, &needs, event);
    detail::host::kernel_launch launch = {};
    launch.kernel = symbol;
    launch.object = bytes.data();
    launch.object_size = bytes.size();
    launch.constants = group->constants_of_kernel(constants);
    launch.dimensions = static_cast<std::uint32_t>(shape.dimensions);
    launch.has_local = shape.has_local;
    std::copy_n(shape.global, 3, launch.global);
    std::copy_n(shape.local, 3, launch.local);
    std::copy_n(shape.offset, 3, launch.offset);
    if (needs.access_count == 0 && needs.event_count == 0)
      *event = group->start_kernel(launch);
    else
      detail::host::call(&api_table::submit_kernel, queue, &launch, &needs, event);
  });
}

DOVETAIL_HOST_BODY void handler::memcpy(void *to, const void *from, std::size_t size) {
  group->set_command([=](detail::host::handle queue, const detail::host::requirements &needs,
                         detail::host::handle *event) {
    using detail::host::api_table;
    if (size == 0)
      return detail::host::call(&api_table::submit_marker, queue, &needs, event);
    if (!to || !from)
      detail::fail(errc::invalid, "memcpy: a pointer is null");
    detail::host::call(&api_table::submit_copy, queue, to, from, size, &needs, event);
  });
}

DOVETAIL_HOST_BODY void handler::copy_global(const char *identifier, std::size_t element,
                                             void *memory, std::size_t size, std::size_t offset,
                                             bool writes) {
  group->set_command([=](detail::host::handle queue, const detail::host::requirements &needs,
                         detail::host::handle *event) {
    using detail::host::api_table;
    if (size == 0)
      return detail::host::call(&api_table::submit_marker, queue, &needs, event);
    if (!memory)
      detail::fail(errc::invalid, "copy of a device_global: the pointer is null");
    if (!identifier)
      detail::fail(errc::invalid,
                   "copy of a device_global: it is not a namespace-scope variable or static "
                   "member, or was compiled without dovetail's plugin");
    detail::host::global_copy copy = {identifier, element, memory, size, offset, writes, 0};
    detail::host::call(&api_table::submit_global_copy, queue, &copy, &needs, event);
  });
}

DOVETAIL_HOST_BODY void handler::memset(void *to, int value, std::size_t size) {
  unsigned char byte = static_cast<unsigned char>(value);
  fill_memory(to, &byte, 1, size);
}

DOVETAIL_HOST_BODY void handler::fill_memory(void *to, const void *pattern, std::size_t size,
                                             std::size_t count) {
  std::vector<unsigned char> bytes(size);
  std::memcpy(bytes.data(), pattern, size);
  group->set_command([=, bytes = std::move(bytes)](detail::host::handle queue,
                                                   const detail::host::requirements &needs,
                                                   detail::host::handle *event) {
    using detail::host::api_table;
    if (count == 0)
      return detail::host::call(&api_table::submit_marker, queue, &needs, event);
    if (!to)
      detail::fail(errc::invalid, "fill: the pointer is null");
    const void *pattern = bytes.data();
    detail::host::call(&api_table::submit_fill, queue, to, pattern, size, count, &needs, event);
  });
}

DOVETAIL_HOST_BODY void handler::ext_oneapi_memcpy2d(void *to, std::size_t to_pitch,
                                                     const void *from, std::size_t from_pitch,
                                                     std::size_t width, std::size_t height) {
  detail::host::check_rows(to_pitch, width);
  detail::host::check_rows(from_pitch, width);
  if (to_pitch == width && from_pitch == width)
    return memcpy(to, from, width * height);
  if (width * height != 0 && (!to || !from))
    detail::fail(errc::invalid, "memcpy2d: a pointer is null");
  group->set_commands(width ? height : 0, [=](std::size_t row, detail::host::handle queue,
                                              const detail::host::requirements &needs,
                                              detail::host::handle *event) {
    void *target = static_cast<unsigned char *>(to) + row * to_pitch;
    const void *source = static_cast<const unsigned char *>(from) + row * from_pitch;
    detail::host::call(&detail::host::api_table::submit_copy, queue, target, source, width, &needs,
                       event);
  });
}

DOVETAIL_HOST_BODY void handler::ext_oneapi_memset2d(void *to, std::size_t pitch, int value,
                                                     std::size_t width, std::size_t height) {
  unsigned char byte = static_cast<unsigned char>(value);
  fill_rows(to, pitch, &byte, 1, width, height);
}

DOVETAIL_HOST_BODY void handler::fill_rows(void *to, std::size_t pitch, const void *pattern,
                                           std::size_t size, std::size_t width,
                                           std::size_t height) {
  detail::host::check_rows(pitch, width);
  if (pitch == width)
    return fill_memory(to, pattern, size, width * height);
  if (width * height != 0 && !to)
    detail::fail(errc::invalid, "fill2d: the pointer is null");
  std::vector<unsigned char> bytes(size);
  std::memcpy(bytes.data(), pattern, size);
  group->set_commands(width ? height : 0,
                      [=, bytes = std::move(bytes)](std::size_t row, detail::host::handle queue,
                                                    const detail::host::requirements &needs,
                                                    detail::host::handle *event) {
                        void *target = static_cast<unsigned char *>(to) + row * pitch * size;
                        const void *pattern = bytes.data();
                        detail::host::call(&detail::host::api_table::submit_fill, queue, target,
                                           pattern, size, width, &needs, event);
                      });
}

// Hints, which a runtime may leave unused.
DOVETAIL_HOST_BODY void handler::prefetch(const void *, std::size_t) { group->set_marker(); }
DOVETAIL_HOST_BODY void handler::mem_advise(const void *, std::size_t, int) { group->set_marker(); }

DOVETAIL_HOST_BODY void handler::ext_oneapi_barrier() { group->set_barrier(); }
DOVETAIL_HOST_BODY void handler::ext_oneapi_barrier(const std::vector<event> &events) {
  depends_on(events);
  group->set_barrier();
}

DOVETAIL_HOST_BODY void handler::call_on_host(std::function<void(const interop_handle &)> task) {
  interop_handle handle =
      detail::handler_access::make_interop_handle(group->get_device().get_backend());
  group->set_host_task([task = std::move(task), handle](void *const *) { task(handle); });
}

// Copies and fills of buffers are done by the host, which reaches all of their memory.

DOVETAIL_HOST_BODY void handler::copy_out(std::uint64_t from, const detail::memory_region &region,
                                          void *to) {
  std::size_t number = group->find_access(from, detail::reads);
  group->set_host_task([=](void *const *addresses) {
    detail::host::gather(static_cast<unsigned char *>(to),
                         static_cast<const unsigned char *>(addresses[number]), region);
  });
}

DOVETAIL_HOST_BODY void handler::copy_in(const void *from, std::uint64_t to,
                                         const detail::memory_region &region) {
  std::size_t number = group->find_access(to, detail::writes);
  group->set_host_task([=](void *const *addresses) {
    detail::host::scatter(static_cast<unsigned char *>(addresses[number]), region,
                          static_cast<const unsigned char *>(from), region.count());
  });
}

DOVETAIL_HOST_BODY void handler::copy_between(std::uint64_t from,
                                              const detail::memory_region &from_region,
                                              std::uint64_t to,
                                              const detail::memory_region &to_region) {
  std::size_t source = group->find_access(from, detail::reads);
  std::size_t target = group->find_access(to, detail::writes);
  group->set_host_task([=](void *const *addresses) {
    // By way of memory of our own: the two may be one buffer.
    std::vector<unsigned char> content(from_region.count() * from_region.element);
    detail::host::gather(content.data(), static_cast<const unsigned char *>(addresses[source]),
                         from_region);
    detail::host::scatter(static_cast<unsigned char *>(addresses[target]), to_region,
                          content.data(), from_region.count());
  });
}

DOVETAIL_HOST_BODY void handler::fill_buffer(std::uint64_t to, const detail::memory_region &region,
                                             const void *value) {
  std::size_t number = group->find_access(to, detail::writes);
  std::vector<unsigned char> bytes(region.element);
  std::memcpy(bytes.data(), value, region.element);
  group->set_host_task([=](void *const *addresses) {
    auto *memory = static_cast<unsigned char *>(addresses[number]);
    detail::host::for_each_row(region, region.count(),
                               [&](std::size_t place, std::size_t, std::size_t size) {
                                 for (std::size_t i = 0; i < size; i += bytes.size())
                                   std::memcpy(memory + place + i, bytes.data(), bytes.size());
                               });
  });
}

DOVETAIL_HOST_BODY void handler::copy_home(std::uint64_t from,
                                           const detail::memory_region &region) {
  std::size_t number = group->find_access(from, detail::reads);
  std::mutex *guard = group->find_guard(from);
  void *home = nullptr;
  detail::host::call(&detail::host::api_table::buffer_home, from, &home);
  group->set_host_task([=](void *const *addresses) {
    auto *to = static_cast<unsigned char *>(home);
    auto *memory = static_cast<const unsigned char *>(addresses[number]);
    if (!to || to == memory)
      return;
    auto lock = guard ? std::unique_lock(*guard) : std::unique_lock<std::mutex>();
    detail::host::for_each_row(region, region.count(),
                               [=](std::size_t place, std::size_t, std::size_t size) {
                                 std::memcpy(to + place, memory + place, size);
                               });
  });
}

DOVETAIL_HOST_BODY void handler::keep(std::shared_ptr<const void> owner) {
  group->keep(std::move(owner));
}

} // namespace _V1
} // namespace sycl

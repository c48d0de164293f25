// The members of class handler.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <sycl/bundle_state.hpp>
#include <sycl/detail/access_bits.hpp>
#include <sycl/detail/fail.hpp>
#include <sycl/detail/host/api.hpp>
#include <sycl/detail/host/body.hpp>
#include <sycl/detail/host/command_group.hpp>
#include <sycl/detail/host/kernel_id.hpp>
#include <sycl/detail/host/runtime.hpp>
#include <sycl/detail/launch_shape.hpp>
#include <sycl/detail/memory_region.hpp>
#include <sycl/errc.hpp>
#include <sycl/event.hpp>
#include <sycl/handler.hpp>
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

namespace host {

// The content of a buffer while the host works on it.
class mapped_buffer {
public:
  mapped_buffer(handle buffer, std::uint32_t bits) : buffer(buffer), bits(bits) {
    void *address = nullptr;
    call(&api_table::buffer_host_begin, buffer, bits, &address);
    bytes = static_cast<unsigned char *>(address);
  }
  mapped_buffer(const mapped_buffer &) = delete;
  mapped_buffer &operator=(const mapped_buffer &) = delete;
  ~mapped_buffer() { call_quietly(&api_table::buffer_host_end, buffer, bits); }

  unsigned char *bytes;

private:
  handle buffer;
  std::uint32_t bits;
};

DOVETAIL_HOST_BODY handle start_kernel(handle queue, const kernel_launch &launch) {
  std::int64_t event = table().start_kernel(queue, &launch, launch.object);
  if (event < 0)
    throw_failure(static_cast<int>(-event));
  return static_cast<handle>(event);
}

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
  group->set_command([=, bytes = std::move(bytes)](detail::host::handle queue,
                                                   const detail::host::requirements &needs,
                                                   detail::host::handle *event) {
    using detail::host::api_table;
    if (nothing_to_do)
      return detail::host::call(&api_table::submit_marker, queue, &needs, event);
    detail::host::kernel_launch launch = {};
    launch.kernel = symbol;
    launch.object = bytes.data();
    launch.object_size = bytes.size();
    launch.dimensions = static_cast<std::uint32_t>(shape.dimensions);
    launch.has_local = shape.has_local;
    std::copy_n(shape.global, 3, launch.global);
    std::copy_n(shape.local, 3, launch.local);
    std::copy_n(shape.offset, 3, launch.offset);
    if (needs.access_count == 0 && needs.event_count == 0)
      *event = detail::host::start_kernel(queue, launch);
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

// Hints, which a runtime may leave unused.
DOVETAIL_HOST_BODY void handler::prefetch(const void *, std::size_t) { group->set_marker(); }
DOVETAIL_HOST_BODY void handler::mem_advise(const void *, std::size_t, int) { group->set_marker(); }

DOVETAIL_HOST_BODY void handler::ext_oneapi_barrier() { group->set_marker(); }
DOVETAIL_HOST_BODY void handler::ext_oneapi_barrier(const std::vector<event> &events) {
  depends_on(events);
  group->set_marker();
}

DOVETAIL_HOST_BODY void handler::copy_out(std::uint64_t from, const detail::memory_region &region,
                                          void *to) {
  group->set_host_command([=] {
    detail::host::mapped_buffer mapped(from, detail::reads);
    auto *target = static_cast<unsigned char *>(to);
    for (std::size_t i = 0; i < region.count(); ++i)
      std::memcpy(target + i * region.element, mapped.bytes + region.place(i), region.element);
  });
}

DOVETAIL_HOST_BODY void handler::copy_in(const void *from, std::uint64_t to,
                                         const detail::memory_region &region) {
  group->set_host_command([=] {
    detail::host::mapped_buffer mapped(to, detail::writes);
    auto *source = static_cast<const unsigned char *>(from);
    for (std::size_t i = 0; i < region.count(); ++i)
      std::memcpy(mapped.bytes + region.place(i), source + i * region.element, region.element);
  });
}

DOVETAIL_HOST_BODY void handler::copy_between(std::uint64_t from,
                                              const detail::memory_region &from_region,
                                              std::uint64_t to,
                                              const detail::memory_region &to_region) {
  group->set_host_command([=] {
    // By way of memory of our own: the two may be one buffer.
    std::vector<unsigned char> content(from_region.count() * from_region.element);
    {
      detail::host::mapped_buffer mapped(from, detail::reads);
      for (std::size_t i = 0; i < from_region.count(); ++i)
        std::memcpy(content.data() + i * from_region.element, mapped.bytes + from_region.place(i),
                    from_region.element);
    }
    detail::host::mapped_buffer mapped(to, detail::writes);
    for (std::size_t i = 0; i < from_region.count(); ++i)
      std::memcpy(mapped.bytes + to_region.place(i), content.data() + i * from_region.element,
                  from_region.element);
  });
}

DOVETAIL_HOST_BODY void handler::fill_buffer(std::uint64_t to, const detail::memory_region &region,
                                             const void *value) {
  std::vector<unsigned char> bytes(region.element);
  std::memcpy(bytes.data(), value, region.element);
  group->set_host_command([=] {
    detail::host::mapped_buffer mapped(to, detail::writes);
    for (std::size_t i = 0; i < region.count(); ++i)
      std::memcpy(mapped.bytes + region.place(i), bytes.data(), region.element);
  });
}

DOVETAIL_HOST_BODY void handler::copy_home(std::uint64_t from,
                                           const detail::memory_region &region) {
  auto state = group->find_buffer(from);
  if (!state)
    detail::fail(errc::feature_not_supported, "update_host with a placeholder accessor");
  group->set_host_command([=] {
    auto *home = static_cast<unsigned char *>(state->get_host_memory());
    if (!home)
      return;
    detail::host::mapped_buffer mapped(from, detail::reads);
    for (std::size_t i = 0; i < region.count(); ++i)
      std::memcpy(home + region.place(i), mapped.bytes + region.place(i), region.element);
  });
}

DOVETAIL_HOST_BODY void handler::keep(std::shared_ptr<const void> owner) {
  group->keep(std::move(owner));
}

} // namespace _V1
} // namespace sycl

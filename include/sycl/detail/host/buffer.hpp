// The members of class buffer_state and class host_access.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <sycl/detail/access_bits.hpp>
#include <sycl/detail/buffer_state.hpp>
#include <sycl/detail/host/api.hpp>
#include <sycl/detail/host/body.hpp>
#include <sycl/detail/host/late_buffers.hpp>
#include <sycl/detail/host/runtime.hpp>
#include <sycl/detail/host_access.hpp>
#include <sycl/property/buffer.hpp>
#include <sycl/property_list.hpp>
#include <utility>

namespace sycl {
inline namespace _V1 {
namespace detail {

static_assert(reads == host::access_read && writes == host::access_write &&
              needs_no_content == host::access_no_init);
static_assert(static_cast<std::uint32_t>(buffer_source::copied) == host::buffer_copied &&
              static_cast<std::uint32_t>(buffer_source::in_place) == host::buffer_in_place);

// An empty buffer has one byte in the runtime, since devices cannot allocate less.
DOVETAIL_HOST_BODY buffer_state::buffer_state(std::size_t size, const void *initial,
                                              buffer_source source, std::mutex *guard)
    : size(size), waits_at_end(size != 0 && initial && source != buffer_source::copied),
      guard(guard) {
  auto lock = lock_guard();
  host::call(&host::api_table::buffer_create, size ? size : std::size_t{1},
             size ? initial : nullptr, static_cast<std::uint32_t>(source), &handle);
}

DOVETAIL_HOST_BODY std::shared_ptr<buffer_state>
make_buffer_state(std::size_t size, const void *initial, buffer_source source,
                  const property_list &properties) {
  namespace properties_of = property::buffer;
  std::mutex *guard = nullptr;
  if (properties.has_property<properties_of::use_mutex>()) {
    guard = properties.get_property<properties_of::use_mutex>().get_mutex_ptr();
    // The program may use its memory whenever it has the mutex.
    source = buffer_source::copied;
  } else if (source == buffer_source::in_place &&
             !properties.has_property<properties_of::use_host_ptr>()) {
    source = buffer_source::borrowed;
  }
  auto let_go = [](buffer_state *state) {
    std::unique_ptr<buffer_state> owned(state);
    if (host::collected_buffers)
      host::collected_buffers->push_back(std::move(owned));
  };
  return {new buffer_state(size, initial, source, guard), let_go};
}

// Failures are ignored: a destructor must not throw.
DOVETAIL_HOST_BODY buffer_state::~buffer_state() {
  try {
    if (write_back_enabled && size != 0) {
      auto lock = lock_guard();
      write_back();
    }
  } catch (...) {
  }
  host::call_quietly(&host::api_table::buffer_release, handle,
                     static_cast<std::uint32_t>(waits_at_end));
}

DOVETAIL_HOST_BODY void buffer_state::write_back() {
  if (has_final) {
    if (final_write)
      final_write(*this);
  } else if (host_memory && written) {
    read(host_memory);
  }
}

DOVETAIL_HOST_BODY std::unique_lock<std::mutex> buffer_state::lock_guard() const {
  return guard ? std::unique_lock<std::mutex>(*guard) : std::unique_lock<std::mutex>();
}

DOVETAIL_HOST_BODY std::mutex *buffer_state::get_guard() const { return guard; }
DOVETAIL_HOST_BODY std::uint64_t buffer_state::get_handle() const { return handle; }
DOVETAIL_HOST_BODY std::size_t buffer_state::get_size() const { return size; }

DOVETAIL_HOST_BODY void buffer_state::set_host_memory(void *address) {
  host_memory = address;
  host::call(&host::api_table::buffer_set_home, handle, address);
}
DOVETAIL_HOST_BODY void buffer_state::set_owner(std::shared_ptr<const void> owner) {
  this->owner = std::move(owner);
}

DOVETAIL_HOST_BODY void buffer_state::set_final(std::function<void(buffer_state &)> write) {
  final_write = std::move(write);
  has_final = true;
}
DOVETAIL_HOST_BODY void buffer_state::set_write_back(bool enabled) { write_back_enabled = enabled; }

DOVETAIL_HOST_BODY void buffer_state::note_access(std::uint32_t bits) {
  if (bits & writes)
    written = true;
}

DOVETAIL_HOST_BODY void buffer_state::read(void *to) {
  host::call(&host::api_table::buffer_read, handle, to);
}

DOVETAIL_HOST_BODY host_access::host_access(std::shared_ptr<buffer_state> state, std::uint32_t bits)
    : state(std::move(state)), bits(bits) {
  this->state->note_access(bits);
  host::call(&host::api_table::buffer_host_begin, this->state->get_handle(), bits, &address);
}

DOVETAIL_HOST_BODY host_access::~host_access() {
  host::call_quietly(&host::api_table::buffer_host_end, state->get_handle(), bits);
}

DOVETAIL_HOST_BODY void *host_access::get_address() const { return address; }

} // namespace detail
} // namespace _V1
} // namespace sycl

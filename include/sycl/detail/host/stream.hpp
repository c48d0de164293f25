// The constructor of class stream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <sycl/detail/host/body.hpp>
#include <sycl/detail/host/stream_state.hpp>
#include <sycl/detail/stream_record.hpp>
#include <sycl/handler.hpp>
#include <sycl/property_list.hpp>
#include <sycl/stream.hpp>
#include <utility>

namespace sycl {
inline namespace _V1 {
namespace detail {

DOVETAIL_HOST_BODY stream stream_access::make(std::size_t total_size, std::size_t work_item_size,
                                              handler &h) {
  std::uint32_t capacity = stream_record::capacity(total_size);
  auto state = std::make_shared<stream_state>(capacity);
  stream made(state->records->get_handle(), state->end->get_handle(), total_size, work_item_size,
              capacity);
  handler_access::add_stream(h, std::move(state));
  return made;
}

} // namespace detail

// The command group owns the memory.
DOVETAIL_HOST_BODY stream::stream(std::size_t total_buffer_size, std::size_t work_item_buffer_size,
                                  handler &h, const property_list &)
    : stream(detail::stream_access::make(total_buffer_size, work_item_buffer_size, h)) {}

} // namespace _V1
} // namespace sycl

// stream_state: the memory of a stream, and its output.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <sycl/detail/buffer_state.hpp>
#include <sycl/detail/host/stream_text.hpp>
#include <sycl/property_list.hpp>

namespace sycl {
inline namespace _V1 {
namespace detail {

class stream_state {
public:
  explicit stream_state(std::uint32_t capacity)
      : records(make_memory(sizeof(std::uint32_t) * std::size_t{capacity}, nullptr)),
        end(make_end()), capacity(capacity) {}

  // Prints what a kernel has written. Not to std::cout, whose buffer threads must not share.
  void print(const void *end_address, const void *records_address) const {
    std::uint32_t words = *static_cast<const std::uint32_t *>(end_address);
    std::string text = host::stream_text::format(
        static_cast<const std::uint32_t *>(records_address), words < capacity ? words : capacity);
    if (text.empty())
      return;
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
  }

  const std::shared_ptr<buffer_state> records;
  const std::shared_ptr<buffer_state> end; // the number of words that the records have

private:
  static std::shared_ptr<buffer_state> make_memory(std::size_t size, const void *initial) {
    return make_buffer_state(size, initial, buffer_source::copied, property_list());
  }
  static std::shared_ptr<buffer_state> make_end() {
    constexpr std::uint32_t zero = 0;
    return make_memory(sizeof(zero), &zero);
  }

  const std::uint32_t capacity;
};

} // namespace detail
} // namespace _V1
} // namespace sycl

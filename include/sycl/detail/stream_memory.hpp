// stream_memory: where a stream's records are. It has the size and layout of an accessor's first
// member, since the runtime replaces the handle of a buffer with the address of its memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <sycl/detail/buffer_memory.hpp>
#include <sycl/detail/kernel_argument.hpp>

namespace sycl {
inline namespace _V1 {
namespace detail {

class DOVETAIL_KERNEL_ARGUMENT("buffer") stream_memory {
public:
  using pointer = buffer_memory<std::uint32_t>::pointer;

  explicit stream_memory(std::uint64_t handle) : words(handle) {}

  pointer get() const { return words.get(0); }
  std::uint64_t get_handle() const { return words.get_handle(); }

  friend bool operator==(const stream_memory &left, const stream_memory &right) {
    return left.words == right.words;
  }

private:
  buffer_memory<std::uint32_t> words;
};

} // namespace detail
} // namespace _V1
} // namespace sycl

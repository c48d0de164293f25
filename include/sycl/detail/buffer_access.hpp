// buffer_access: the part of a buffer that an accessor refers to.
#pragma once

#include <cstddef>
#include <memory>
#include <sycl/detail/buffer_state.hpp>
#include <sycl/detail/fail.hpp>
#include <sycl/errc.hpp>
#include <sycl/id.hpp>
#include <sycl/range.hpp>

namespace sycl {
inline namespace _V1 {
namespace detail {

struct buffer_access {
  template <typename Buffer> static const std::shared_ptr<buffer_state> &state(const Buffer &b) {
    return b.state;
  }

  // The offset of a sub-buffer in the shared memory.
  template <typename Buffer> static std::size_t first_byte(const Buffer &b) { return b.first_byte; }

  // Whether a part covers all memory, including that of sub-buffers, so that earlier content is not
  // needed.
  template <typename Buffer, int Dimensions>
  static bool covers_all(const Buffer &b, const range<Dimensions> &part) {
    return part.size() * sizeof(typename Buffer::value_type) == state(b)->get_size();
  }

  // Returns the range of the buffer; throws if it does not contain the part.
  template <typename Buffer, int Dimensions>
  static range<Dimensions> checked(const Buffer &b, const range<Dimensions> &part,
                                   const id<Dimensions> &offset) {
    range<Dimensions> whole = b.get_range();
    for (int i = 0; i < Dimensions; ++i)
      if (offset[i] > whole[i] || part[i] > whole[i] - offset[i])
        fail(errc::invalid, "an accessor cannot reach beyond its buffer");
    return whole;
  }
};

} // namespace detail
} // namespace _V1
} // namespace sycl

// access_mode: what an accessor does with its memory.
#pragma once

namespace sycl {
inline namespace _V1 {

// The numbers are part of the mangled names of kernels that are named after an accessor's type,
// and those agree with DPC++'s.
enum class access_mode {
  read = 1024,
  write = 1025,
  read_write = 1026,
  discard_write = 1027,
  discard_read_write = 1028,
  atomic = 1029,
};

namespace access {
using mode = access_mode;
}

} // namespace _V1
} // namespace sycl

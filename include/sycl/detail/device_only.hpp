// The host's definition of operations that only devices support.
#pragma once

namespace sycl {
inline namespace _V1 {
namespace detail {

// Free-function kernels are ordinary functions on the host and have to link there. Calling one
// is an error, which terminates the program.
[[noreturn]] inline void device_only() { __builtin_trap(); }

} // namespace detail
} // namespace _V1
} // namespace sycl

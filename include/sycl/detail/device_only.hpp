// What stands on the host for an operation that only a device can do.
#pragma once

namespace sycl {
inline namespace _V1 {
namespace detail {

// A free-function kernel is an ordinary function on the host and has to link there. Calling it is a
// mistake that would otherwise go unnoticed, so the program stops.
[[noreturn]] inline void device_only() { __builtin_trap(); }

} // namespace detail
} // namespace _V1
} // namespace sycl

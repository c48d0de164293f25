// fail: throws an exception. A declaration only, so that headers that an exception is made of can
// use it; it is defined with class exception.
#pragma once

namespace sycl {
inline namespace _V1 {

enum class errc : unsigned int;

namespace detail {

[[noreturn]] void fail(errc code, const char *text);

} // namespace detail
} // namespace _V1
} // namespace sycl

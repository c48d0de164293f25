// fail: throws an exception. Only a declaration, so that headers on which class exception depends
// can use it; it is defined with that class.
#pragma once

namespace sycl {
inline namespace _V1 {

enum class errc : unsigned int;

namespace detail {

[[noreturn]] void fail(errc code, const char *text);

} // namespace detail
} // namespace _V1
} // namespace sycl

// The properties of a buffer.
#pragma once

#include <sycl/context.hpp>
#include <sycl/is_property.hpp>
#include <type_traits>
#include <utility>

namespace sycl {
inline namespace _V1 {
namespace property {
namespace buffer {

// Accepted without effect: the host memory has the content when the buffer is destroyed, as the
// standard requires, but devices use memory of the runtime.
class use_host_ptr {};

class context_bound {
public:
  context_bound(sycl::context bound) : bound(std::move(bound)) {}
  sycl::context get_context() const { return bound; }

private:
  sycl::context bound;
};

} // namespace buffer
} // namespace property

template <> struct is_property<property::buffer::use_host_ptr> : std::true_type {};
template <> struct is_property<property::buffer::context_bound> : std::true_type {};

} // namespace _V1
} // namespace sycl

// The properties of a buffer.
#pragma once

#include <mutex>
#include <sycl/context.hpp>
#include <sycl/is_property.hpp>
#include <type_traits>
#include <utility>

namespace sycl {
inline namespace _V1 {
namespace property {
namespace buffer {

// The buffer's content is in the host memory that it was created with, also while devices use it
// that reach host memory.
class use_host_ptr {};

// The buffer has memory of its own. It uses the host memory, to copy from and to write back, only
// while it has the mutex.
class use_mutex {
public:
  use_mutex(std::mutex &guard) : guard(&guard) {}
  std::mutex *get_mutex_ptr() const { return guard; }

private:
  std::mutex *guard;
};

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
template <> struct is_property<property::buffer::use_mutex> : std::true_type {};
template <> struct is_property<property::buffer::context_bound> : std::true_type {};

} // namespace _V1
} // namespace sycl

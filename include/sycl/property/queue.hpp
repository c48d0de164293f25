// The properties of a queue.
#pragma once

#include <sycl/is_property.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {
namespace property {
namespace queue {

struct in_order {};
struct enable_profiling {};

} // namespace queue
} // namespace property

template <> struct is_property<property::queue::in_order> : std::true_type {};
template <> struct is_property<property::queue::enable_profiling> : std::true_type {};

} // namespace _V1
} // namespace sycl

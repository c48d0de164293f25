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

// Hints of extensions, which a runtime may leave unused.
namespace ext {
namespace oneapi {
namespace property {
namespace queue {

struct discard_events {};
struct priority_normal {};
struct priority_low {};
struct priority_high {};

} // namespace queue
} // namespace property
} // namespace oneapi
namespace intel {
namespace property {
namespace queue {

struct no_immediate_command_list {};
struct immediate_command_list {};

} // namespace queue
} // namespace property
} // namespace intel
} // namespace ext

template <> struct is_property<property::queue::in_order> : std::true_type {};
template <> struct is_property<property::queue::enable_profiling> : std::true_type {};

#define DOVETAIL_HINT(NAME)                                                                        \
  template <> struct is_property<ext::NAME> : std::true_type {};
DOVETAIL_HINT(oneapi::property::queue::discard_events)
DOVETAIL_HINT(oneapi::property::queue::priority_normal)
DOVETAIL_HINT(oneapi::property::queue::priority_low)
DOVETAIL_HINT(oneapi::property::queue::priority_high)
DOVETAIL_HINT(intel::property::queue::no_immediate_command_list)
DOVETAIL_HINT(intel::property::queue::immediate_command_list)
#undef DOVETAIL_HINT

} // namespace _V1
} // namespace sycl

// The properties of a reduction.
#pragma once

#include <sycl/is_property.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {
namespace property {
namespace reduction {

// The reduction variable's earlier value is replaced instead of included.
struct initialize_to_identity {};

} // namespace reduction
} // namespace property

template <> struct is_property<property::reduction::initialize_to_identity> : std::true_type {};

} // namespace _V1
} // namespace sycl

// Calling kernels, which may take a kernel_handler as their last parameter.
#pragma once

#include <sycl/kernel_handler.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {
namespace detail {

// Whether a kernel takes these arguments, with or without a kernel_handler after them.
template <typename Kernel, typename... Arguments>
using takes_arguments =
    std::disjunction<std::is_invocable<const Kernel &, Arguments...>,
                     std::is_invocable<const Kernel &, Arguments..., kernel_handler>>;

template <typename Kernel, typename... Arguments>
void call_kernel(const Kernel &kernel, Arguments &&...arguments) {
  if constexpr (std::is_invocable_v<const Kernel &, Arguments...>)
    kernel(static_cast<Arguments &&>(arguments)...);
  else
    kernel(static_cast<Arguments &&>(arguments)..., kernel_handler_access::make());
}

} // namespace detail
} // namespace _V1
} // namespace sycl

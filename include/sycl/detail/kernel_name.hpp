// The name of a kernel: the type that the user gave, or that of the kernel object.
#pragma once

#include <type_traits>

namespace sycl {
inline namespace _V1 {
namespace detail {

class unnamed_kernel;

template <typename Name, typename Kernel>
using kernel_name = std::conditional_t<std::is_same_v<Name, unnamed_kernel>, Kernel, Name>;

// The device's symbol. Without -fsycl clang has no such operator, and there is no device code.
template <typename Name> constexpr const char *kernel_symbol() {
#if __is_identifier(__builtin_sycl_unique_stable_name)
  return "";
#else
  return __builtin_sycl_unique_stable_name(Name);
#endif
}

} // namespace detail
} // namespace _V1
} // namespace sycl

// kernel_handler: the last parameter of kernels that read specialization constants.
#pragma once

#include <sycl/detail/specialized_value.hpp>

#ifdef __SYCL_DEVICE_ONLY__
#include <sycl/detail/spirv/specialization.hpp>
#else
#include <sycl/detail/device_only.hpp>
#endif

namespace sycl {
inline namespace _V1 {

namespace detail {
struct kernel_handler_access;
}

class kernel_handler {
public:
  // The value with which the kernel was started. Compilers see it as a constant.
  template <auto &Id> detail::specialized_type<Id> get_specialization_constant() const {
#ifdef __SYCL_DEVICE_ONLY__
    detail::specialized_value<detail::specialized_type<Id>> value;
    ::__dovetail_readSpecializationConstant(value.bytes, __builtin_addressof(Id));
    return value.get();
#else
    detail::device_only();
#endif
  }

private:
  friend struct detail::kernel_handler_access;

  kernel_handler() = default;
};

namespace detail {

struct kernel_handler_access {
  static kernel_handler make() { return kernel_handler(); }
};

} // namespace detail
} // namespace _V1
} // namespace sycl

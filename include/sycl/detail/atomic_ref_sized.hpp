// Marks the use of an atomic_ref by its size: one to 8 bytes requires a device with 64-bit atomics.
// A separate class, since an attribute cannot depend on a template argument.
#pragma once

#include <cstddef>
#include <sycl/aspects.hpp>
#include <sycl/detail/atomic_ref_arithmetic.hpp>

// Only the front-end's plugin knows the attribute; every other compiler would warn.
#ifdef __SYCL_DEVICE_ONLY__
#define DOVETAIL_USES_ATOMIC64 [[__sycl_detail__::__uses_aspects__(::sycl::aspect::atomic64)]]
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunknown-attributes"
#else
#define DOVETAIL_USES_ATOMIC64
#endif

namespace sycl {
inline namespace _V1 {
namespace detail {

template <typename DataT, std::size_t Size, memory_order DefaultOrder, memory_scope DefaultScope,
          access::address_space Space>
class atomic_ref_sized : public atomic_ref_arithmetic<DataT, DefaultOrder, DefaultScope, Space> {
  using base = atomic_ref_arithmetic<DataT, DefaultOrder, DefaultScope, Space>;

public:
  using base::base;
  using base::operator=;
};

template <typename DataT, memory_order DefaultOrder, memory_scope DefaultScope,
          access::address_space Space>
class DOVETAIL_USES_ATOMIC64 atomic_ref_sized<DataT, 8, DefaultOrder, DefaultScope, Space>
    : public atomic_ref_arithmetic<DataT, DefaultOrder, DefaultScope, Space> {
  using base = atomic_ref_arithmetic<DataT, DefaultOrder, DefaultScope, Space>;

public:
  using base::base;
  using base::operator=;
};

} // namespace detail
} // namespace _V1
} // namespace sycl

#ifdef __SYCL_DEVICE_ONLY__
#pragma clang diagnostic pop
#endif
#undef DOVETAIL_USES_ATOMIC64

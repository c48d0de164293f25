// atomic: the atomic operations of SYCL 1.2.1, and the functions for them. New programs use
// atomic_ref.
#pragma once

#include <sycl/access/address_space.hpp>
#include <sycl/access/decorated.hpp>
#include <sycl/atomic_ref.hpp>
#include <sycl/detail/deprecated.hpp>
#include <sycl/detail/not_deduced.hpp>
#include <sycl/memory_order.hpp>
#include <sycl/memory_scope.hpp>
#include <sycl/multi_ptr.hpp>

namespace sycl {
inline namespace _V1 {

template <typename DataT, access::address_space Space = access::address_space::global_space>
class DOVETAIL_DEPRECATED("use atomic_ref") atomic {
  static_assert(Space == access::address_space::global_space ||
                    Space == access::address_space::local_space,
                "an atomic is in global or in local memory");

  static constexpr memory_scope scope =
      Space == access::address_space::local_space ? memory_scope::work_group : memory_scope::device;
  using reference = atomic_ref<DataT, memory_order::relaxed, scope, Space>;

public:
  template <typename Pointee, access::decorated Decorated>
  atomic(multi_ptr<Pointee, Space, Decorated> address)
      : address(reinterpret_cast<DataT *>(address.get_raw())) {
    static_assert(sizeof(DataT) == sizeof(Pointee), "the object has another size");
  }

  void store(DataT operand, memory_order order = memory_order::relaxed) {
    reference(*address).store(operand, order);
  }
  DataT load(memory_order order = memory_order::relaxed) const {
    return reference(*address).load(order);
  }
  bool compare_exchange_strong(DataT &expected, DataT desired,
                               memory_order success = memory_order::relaxed,
                               memory_order failure = memory_order::relaxed) {
    return reference(*address).compare_exchange_strong(expected, desired, success, failure);
  }

#define DOVETAIL_OPERATION(NAME)                                                                   \
  DataT NAME(DataT operand, memory_order order = memory_order::relaxed) {                          \
    return reference(*address).NAME(operand, order);                                               \
  }
  DOVETAIL_OPERATION(exchange)
  DOVETAIL_OPERATION(fetch_add)
  DOVETAIL_OPERATION(fetch_sub)
  DOVETAIL_OPERATION(fetch_and)
  DOVETAIL_OPERATION(fetch_or)
  DOVETAIL_OPERATION(fetch_xor)
  DOVETAIL_OPERATION(fetch_min)
  DOVETAIL_OPERATION(fetch_max)
#undef DOVETAIL_OPERATION

private:
  DataT *address;
};

template <typename DataT, access::address_space Space>
void atomic_store(atomic<DataT, Space> object, detail::not_deduced_t<DataT> operand,
                  memory_order order = memory_order::relaxed) {
  object.store(operand, order);
}
template <typename DataT, access::address_space Space>
DataT atomic_load(atomic<DataT, Space> object, memory_order order = memory_order::relaxed) {
  return object.load(order);
}
template <typename DataT, access::address_space Space>
bool atomic_compare_exchange_strong(atomic<DataT, Space> object, DataT &expected,
                                    detail::not_deduced_t<DataT> desired,
                                    memory_order success = memory_order::relaxed,
                                    memory_order failure = memory_order::relaxed) {
  return object.compare_exchange_strong(expected, desired, success, failure);
}

#define DOVETAIL_FUNCTION(NAME)                                                                    \
  template <typename DataT, access::address_space Space>                                           \
  DataT atomic_##NAME(atomic<DataT, Space> object, detail::not_deduced_t<DataT> operand,           \
                      memory_order order = memory_order::relaxed) {                                \
    return object.NAME(operand, order);                                                            \
  }
DOVETAIL_FUNCTION(exchange)
DOVETAIL_FUNCTION(fetch_add)
DOVETAIL_FUNCTION(fetch_sub)
DOVETAIL_FUNCTION(fetch_and)
DOVETAIL_FUNCTION(fetch_or)
DOVETAIL_FUNCTION(fetch_xor)
DOVETAIL_FUNCTION(fetch_min)
DOVETAIL_FUNCTION(fetch_max)
#undef DOVETAIL_FUNCTION

} // namespace _V1
} // namespace sycl

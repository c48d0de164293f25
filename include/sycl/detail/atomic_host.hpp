// The operations on atomic memory, on the host: the same functions as for the device.
#pragma once

#include <sycl/memory_order.hpp>
#include <sycl/memory_scope.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {
namespace detail {
namespace atomic {

// The compiler's number for an order. The host has one scope.
constexpr int order_id(memory_order order) {
  switch (order) {
  case memory_order::relaxed:
    return __ATOMIC_RELAXED;
  case memory_order::acquire:
    return __ATOMIC_ACQUIRE;
  case memory_order::release:
    return __ATOMIC_RELEASE;
  case memory_order::acq_rel:
    return __ATOMIC_ACQ_REL;
  case memory_order::seq_cst:
    return __ATOMIC_SEQ_CST;
  }
  return __ATOMIC_SEQ_CST;
}

inline void fence(memory_order order, memory_scope) { __atomic_thread_fence(order_id(order)); }

template <typename Bits> Bits load(Bits *at, memory_order order, memory_scope) {
  return __atomic_load_n(at, order_id(order));
}

template <typename Bits> void store(Bits *at, Bits operand, memory_order order, memory_scope) {
  __atomic_store_n(at, operand, order_id(order));
}

// Returns the previous value; stores `desired` if it was `expected`.
template <typename Bits>
Bits compare_exchange(Bits *at, Bits expected, Bits desired, memory_order success,
                      memory_order failure, memory_scope) {
  __atomic_compare_exchange_n(at, &expected, desired, false, order_id(success), order_id(failure));
  return expected;
}

#define DOVETAIL_MODIFY(NAME, BUILTIN)                                                             \
  template <typename Bits> Bits NAME(Bits *at, Bits operand, memory_order order, memory_scope) {   \
    return BUILTIN(at, operand, order_id(order));                                                  \
  }
DOVETAIL_MODIFY(exchange, __atomic_exchange_n)
DOVETAIL_MODIFY(fetch_add, __atomic_fetch_add)
DOVETAIL_MODIFY(fetch_sub, __atomic_fetch_sub)
DOVETAIL_MODIFY(fetch_and, __atomic_fetch_and)
DOVETAIL_MODIFY(fetch_or, __atomic_fetch_or)
DOVETAIL_MODIFY(fetch_xor, __atomic_fetch_xor)
DOVETAIL_MODIFY(fetch_min_unsigned, __atomic_fetch_min)
DOVETAIL_MODIFY(fetch_max_unsigned, __atomic_fetch_max)
#undef DOVETAIL_MODIFY

// Replaces the value with the result of `change`, in a compare-exchange loop.
template <typename DataT, typename Change>
DataT modify(DataT *at, Change change, memory_order order) {
  DataT before;
  __atomic_load(at, &before, __ATOMIC_RELAXED);
  DataT after = change(before);
  while (!__atomic_compare_exchange(at, &before, &after, true, order_id(order), __ATOMIC_RELAXED))
    after = change(before);
  return before;
}

template <typename Bits>
Bits fetch_min_signed(Bits *at, Bits operand, memory_order order, memory_scope) {
  using number = std::make_signed_t<Bits>;
  return modify(
      at,
      [operand](Bits x) {
        return static_cast<number>(operand) < static_cast<number>(x) ? operand : x;
      },
      order);
}

template <typename Bits>
Bits fetch_max_signed(Bits *at, Bits operand, memory_order order, memory_scope) {
  using number = std::make_signed_t<Bits>;
  return modify(
      at,
      [operand](Bits x) {
        return static_cast<number>(x) < static_cast<number>(operand) ? operand : x;
      },
      order);
}

template <typename DataT>
DataT fetch_add_floating(DataT *at, DataT operand, memory_order order, memory_scope) {
  return modify(at, [operand](DataT x) { return x + operand; }, order);
}

template <typename DataT>
DataT fetch_min_floating(DataT *at, DataT operand, memory_order order, memory_scope) {
  return modify(at, [operand](DataT x) { return operand < x ? operand : x; }, order);
}

template <typename DataT>
DataT fetch_max_floating(DataT *at, DataT operand, memory_order order, memory_scope) {
  return modify(at, [operand](DataT x) { return x < operand ? operand : x; }, order);
}

} // namespace atomic
} // namespace detail
} // namespace _V1
} // namespace sycl

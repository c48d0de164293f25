// The operations on atomic memory, on the device. `Bits` is an unsigned type of 4 or 8 bytes in the
// address space of the memory, `Memory` any type there.
#pragma once

#include <cstdint>
#include <sycl/detail/atomic_spirv.hpp>
#include <sycl/memory_order.hpp>
#include <sycl/memory_scope.hpp>

namespace sycl {
inline namespace _V1 {
namespace detail {
namespace atomic {

// A type without its address space.
template <typename DataT> struct without_space {
  using type = DataT;
};
template <typename DataT> struct without_space<__attribute__((opencl_global)) DataT> {
  using type = DataT;
};
template <typename DataT> struct without_space<__attribute__((opencl_local)) DataT> {
  using type = DataT;
};
template <typename DataT> struct without_space<__attribute__((opencl_private)) DataT> {
  using type = DataT;
};
template <typename DataT> using value_t = typename without_space<DataT>::type;

// SPIR-V counts scopes from the widest (cross device, 0) to the narrowest (invocation, 4).
constexpr std::int32_t scope_id(memory_scope scope) { return 4 - static_cast<int>(scope); }

// SPIR-V specification, "Memory Semantics". An order holds for all memory, wherever the atomic
// object lies: local memory (0x100) and global memory (0x200).
constexpr std::int32_t semantics(memory_order order) {
  constexpr std::int32_t memory = 0x100 | 0x200;
  switch (order) {
  case memory_order::relaxed:
    return 0;
  case memory_order::acquire:
    return 0x2 | memory;
  case memory_order::release:
    return 0x4 | memory;
  case memory_order::acq_rel:
    return 0x8 | memory;
  case memory_order::seq_cst:
    return 0x10 | memory;
  }
  return 0x10 | memory;
}

inline void fence(memory_order order, memory_scope scope) {
  ::__spirv_MemoryBarrier(scope_id(scope), semantics(order));
}

template <typename Bits> value_t<Bits> load(Bits *at, memory_order order, memory_scope scope) {
  return ::__spirv_AtomicLoad(at, scope_id(scope), semantics(order));
}

template <typename Bits>
void store(Bits *at, value_t<Bits> operand, memory_order order, memory_scope scope) {
  ::__spirv_AtomicStore(at, scope_id(scope), semantics(order), operand);
}

// Returns the previous value; stores `desired` if it was `expected`.
template <typename Bits>
value_t<Bits> compare_exchange(Bits *at, value_t<Bits> expected, value_t<Bits> desired,
                               memory_order success, memory_order failure, memory_scope scope) {
  return ::__spirv_AtomicCompareExchange(at, scope_id(scope), semantics(success),
                                         semantics(failure), desired, expected);
}

#define DOVETAIL_MODIFY(NAME, INSTRUCTION)                                                         \
  template <typename Memory>                                                                       \
  value_t<Memory> NAME(Memory *at, value_t<Memory> operand, memory_order order,                    \
                       memory_scope scope) {                                                       \
    return ::__spirv_Atomic##INSTRUCTION(at, scope_id(scope), semantics(order), operand);          \
  }
DOVETAIL_MODIFY(exchange, Exchange)
DOVETAIL_MODIFY(fetch_add, IAdd)
DOVETAIL_MODIFY(fetch_sub, ISub)
DOVETAIL_MODIFY(fetch_and, And)
DOVETAIL_MODIFY(fetch_or, Or)
DOVETAIL_MODIFY(fetch_xor, Xor)
DOVETAIL_MODIFY(fetch_min_signed, SMin)
DOVETAIL_MODIFY(fetch_max_signed, SMax)
DOVETAIL_MODIFY(fetch_min_unsigned, UMin)
DOVETAIL_MODIFY(fetch_max_unsigned, UMax)
// For memory that holds floating-point numbers.
DOVETAIL_MODIFY(fetch_add_floating, FAddEXT)
DOVETAIL_MODIFY(fetch_min_floating, FMinEXT)
DOVETAIL_MODIFY(fetch_max_floating, FMaxEXT)
#undef DOVETAIL_MODIFY

} // namespace atomic
} // namespace detail
} // namespace _V1
} // namespace sycl

// Device functions for atomic operations. LLVM's SPIR-V back-end recognizes their mangled names and
// translates calls to instructions; it would drop the memory order of an atomic load in LLVM IR.
//
// Except for floating-point arithmetic, all operate on bits, so unsigned types are sufficient.
#pragma once

#include <cstdint>
#include <sycl/external.hpp>

#define DOVETAIL_DECLARE(RESULT, NAME, ...)                                                        \
  SYCL_EXTERNAL RESULT __spirv_##NAME(__VA_ARGS__) noexcept;
#define DOVETAIL_MODIFY(NAME, SPACE, TYPE)                                                         \
  DOVETAIL_DECLARE(TYPE, Atomic##NAME, SPACE TYPE *, std::int32_t scope, std::int32_t semantics,   \
                   TYPE operand)

#define DOVETAIL_BITS(SPACE, TYPE)                                                                 \
  DOVETAIL_DECLARE(TYPE, AtomicLoad, SPACE TYPE *, std::int32_t scope, std::int32_t semantics)     \
  DOVETAIL_DECLARE(void, AtomicStore, SPACE TYPE *, std::int32_t scope, std::int32_t semantics,    \
                   TYPE operand)                                                                   \
  DOVETAIL_DECLARE(TYPE, AtomicCompareExchange, SPACE TYPE *, std::int32_t scope,                  \
                   std::int32_t success, std::int32_t failure, TYPE desired, TYPE expected)        \
  DOVETAIL_MODIFY(Exchange, SPACE, TYPE)                                                           \
  DOVETAIL_MODIFY(IAdd, SPACE, TYPE)                                                               \
  DOVETAIL_MODIFY(ISub, SPACE, TYPE)                                                               \
  DOVETAIL_MODIFY(And, SPACE, TYPE)                                                                \
  DOVETAIL_MODIFY(Or, SPACE, TYPE)                                                                 \
  DOVETAIL_MODIFY(Xor, SPACE, TYPE)                                                                \
  DOVETAIL_MODIFY(SMin, SPACE, TYPE)                                                               \
  DOVETAIL_MODIFY(SMax, SPACE, TYPE)                                                               \
  DOVETAIL_MODIFY(UMin, SPACE, TYPE)                                                               \
  DOVETAIL_MODIFY(UMax, SPACE, TYPE)

// SPV_EXT_shader_atomic_float_add and SPV_EXT_shader_atomic_float_min_max.
#define DOVETAIL_FLOATING(SPACE, TYPE)                                                             \
  DOVETAIL_MODIFY(FAddEXT, SPACE, TYPE)                                                            \
  DOVETAIL_MODIFY(FMinEXT, SPACE, TYPE)                                                            \
  DOVETAIL_MODIFY(FMaxEXT, SPACE, TYPE)

#define DOVETAIL_SPACE(SPACE)                                                                      \
  DOVETAIL_BITS(SPACE, std::uint32_t)                                                              \
  DOVETAIL_BITS(SPACE, std::uint64_t)                                                              \
  DOVETAIL_FLOATING(SPACE, float)                                                                  \
  DOVETAIL_FLOATING(SPACE, double)

// The generic address space is the one of a plain pointer.
DOVETAIL_SPACE()
DOVETAIL_SPACE(__attribute__((opencl_global)))
DOVETAIL_SPACE(__attribute__((opencl_local)))

DOVETAIL_DECLARE(void, MemoryBarrier, std::int32_t scope, std::int32_t semantics)

#undef DOVETAIL_SPACE
#undef DOVETAIL_FLOATING
#undef DOVETAIL_BITS
#undef DOVETAIL_MODIFY
#undef DOVETAIL_DECLARE

// Device functions that exchange values between the work-items of a group. LLVM's SPIR-V back-end
// recognizes their mangled names; a pass defines them for other targets.
//
// Only for sub-groups (scope 3), in converged control flow. The algorithms that use them are also
// correct for partial sub-groups: they never use values of missing work-items.
#pragma once

#include <cstdint>
#include <sycl/external.hpp>

// Convergent: the compiler must not move them into or out of a branch.
#define DOVETAIL_EXCHANGE(NAME)                                                                    \
  SYCL_EXTERNAL __attribute__((convergent)) std::uint32_t __spirv_GroupNonUniform##NAME(           \
      std::int32_t scope, std::uint32_t value, std::uint32_t operand) noexcept;                    \
  SYCL_EXTERNAL __attribute__((convergent)) std::uint64_t __spirv_GroupNonUniform##NAME(           \
      std::int32_t scope, std::uint64_t value, std::uint32_t operand) noexcept;
#define DOVETAIL_VOTE(NAME)                                                                        \
  SYCL_EXTERNAL __attribute__((convergent)) bool __spirv_GroupNonUniform##NAME(                    \
      std::int32_t scope, bool value) noexcept;

DOVETAIL_EXCHANGE(Shuffle)
DOVETAIL_EXCHANGE(ShuffleXor)
DOVETAIL_EXCHANGE(ShuffleUp)
DOVETAIL_EXCHANGE(ShuffleDown)
DOVETAIL_VOTE(All)
DOVETAIL_VOTE(Any)

#undef DOVETAIL_EXCHANGE
#undef DOVETAIL_VOTE

// Local memory of 64 words, one array for the whole module, for the algorithms of work-groups.
SYCL_EXTERNAL __attribute__((const)) __attribute__((opencl_local)) std::uint64_t *
__dovetail_groupScratch() noexcept;

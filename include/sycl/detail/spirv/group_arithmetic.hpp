// SPIR-V's group instructions, for sub-groups and work-groups. LLVM's SPIR-V back-end recognizes
// their mangled names. Only code for SPIR-V uses them; other targets do not define them.
#pragma once

#include <cstdint>
#include <sycl/external.hpp>

// Convergent: the compiler must not move them into or out of a branch.
#define DOVETAIL_DECLARE(NAME, TYPE)                                                               \
  SYCL_EXTERNAL __attribute__((convergent)) TYPE __spirv_Group##NAME(                              \
      std::int32_t scope, std::int32_t operation, TYPE value) noexcept;

#define DOVETAIL_UNSIGNED(TYPE)                                                                    \
  DOVETAIL_DECLARE(IAdd, TYPE)                                                                     \
  DOVETAIL_DECLARE(UMin, TYPE)                                                                     \
  DOVETAIL_DECLARE(UMax, TYPE)
#define DOVETAIL_SIGNED(TYPE)                                                                      \
  DOVETAIL_DECLARE(SMin, TYPE)                                                                     \
  DOVETAIL_DECLARE(SMax, TYPE)
#define DOVETAIL_FLOATING(TYPE)                                                                    \
  DOVETAIL_DECLARE(FAdd, TYPE)                                                                     \
  DOVETAIL_DECLARE(FMin, TYPE)                                                                     \
  DOVETAIL_DECLARE(FMax, TYPE)

DOVETAIL_UNSIGNED(std::uint32_t)
DOVETAIL_UNSIGNED(std::uint64_t)
DOVETAIL_SIGNED(std::int32_t)
DOVETAIL_SIGNED(std::int64_t)
DOVETAIL_FLOATING(_Float16)
DOVETAIL_FLOATING(float)
DOVETAIL_FLOATING(double)

#undef DOVETAIL_DECLARE
#undef DOVETAIL_UNSIGNED
#undef DOVETAIL_SIGNED
#undef DOVETAIL_FLOATING

namespace sycl {
inline namespace _V1 {
namespace detail {
namespace spirv {

// SPIR-V specification, "Group Operation".
enum class group_operation : std::int32_t { reduce = 0, inclusive_scan = 1, exclusive_scan = 2 };

} // namespace spirv
} // namespace detail
} // namespace _V1
} // namespace sycl

// The device function that implements barriers, and SPIR-V's values of its operands.
#pragma once

#include <cstdint>
#include <sycl/external.hpp>

// Convergent: the compiler must not move it into or out of a branch.
SYCL_EXTERNAL __attribute__((convergent)) void
__spirv_ControlBarrier(std::int32_t execution_scope, std::int32_t memory_scope,
                       std::int32_t semantics) noexcept;

namespace sycl {
inline namespace _V1 {
namespace detail {
namespace spirv {

// SPIR-V specification, "Memory Semantics".
inline constexpr std::int32_t acquire_release = 0x8;
inline constexpr std::int32_t workgroup_memory = 0x100;
inline constexpr std::int32_t cross_workgroup_memory = 0x200;

} // namespace spirv
} // namespace detail
} // namespace _V1
} // namespace sycl

// memory_order: how an atomic operation or a fence orders the accesses around it.
#pragma once

namespace sycl {
inline namespace _V1 {

// The values are those of std::memory_order; SYCL leaves out consume, hence the gap.
enum class memory_order : int { relaxed = 0, acquire = 1, release = 3, acq_rel = 4, seq_cst = 5 };

inline constexpr memory_order memory_order_relaxed = memory_order::relaxed;
inline constexpr memory_order memory_order_acquire = memory_order::acquire;
inline constexpr memory_order memory_order_release = memory_order::release;
inline constexpr memory_order memory_order_acq_rel = memory_order::acq_rel;
inline constexpr memory_order memory_order_seq_cst = memory_order::seq_cst;

} // namespace _V1
} // namespace sycl

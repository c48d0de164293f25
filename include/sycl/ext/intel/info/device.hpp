// ext::intel::info::device: queries that need an aspect of the same name.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace sycl {
inline namespace _V1 {
namespace detail {
using uuid_type = std::array<unsigned char, 16>;
}

namespace ext::intel::info::device {

#define DOVETAIL_QUERY(NAME, ...)                                                                  \
  struct NAME {                                                                                    \
    using return_type = __VA_ARGS__;                                                               \
  };
DOVETAIL_QUERY(device_id, std::uint32_t)
DOVETAIL_QUERY(pci_address, std::string)
DOVETAIL_QUERY(gpu_eu_count, std::uint32_t)
DOVETAIL_QUERY(gpu_eu_simd_width, std::uint32_t)
DOVETAIL_QUERY(gpu_slices, std::uint32_t)
DOVETAIL_QUERY(gpu_subslices_per_slice, std::uint32_t)
DOVETAIL_QUERY(gpu_eu_count_per_subslice, std::uint32_t)
DOVETAIL_QUERY(gpu_hw_threads_per_eu, std::uint32_t)
DOVETAIL_QUERY(max_mem_bandwidth, std::uint64_t)
DOVETAIL_QUERY(uuid, sycl::detail::uuid_type)
DOVETAIL_QUERY(free_memory, std::uint64_t)
DOVETAIL_QUERY(memory_clock_rate, std::uint32_t)
DOVETAIL_QUERY(memory_bus_width, std::uint32_t)
DOVETAIL_QUERY(max_compute_queue_indices, std::int32_t)
#undef DOVETAIL_QUERY

} // namespace ext::intel::info::device
} // namespace _V1
} // namespace sycl

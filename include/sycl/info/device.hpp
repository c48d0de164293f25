// info::device: the queries of a device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <sycl/aspects.hpp>
#include <sycl/info/device_type.hpp>
#include <sycl/range.hpp>
#include <vector>

namespace sycl {
inline namespace _V1 {

class platform;

namespace info {

enum class local_mem_type : int { none, local, global };

namespace device {

#define DOVETAIL_QUERY(NAME, ...)                                                                  \
  struct NAME {                                                                                    \
    using return_type = __VA_ARGS__;                                                               \
  };

DOVETAIL_QUERY(device_type, info::device_type)
DOVETAIL_QUERY(vendor_id, std::uint32_t)
DOVETAIL_QUERY(max_compute_units, std::uint32_t)
DOVETAIL_QUERY(max_work_item_dimensions, std::uint32_t)
DOVETAIL_QUERY(max_work_group_size, std::size_t)
DOVETAIL_QUERY(max_num_sub_groups, std::uint32_t)
DOVETAIL_QUERY(sub_group_sizes, std::vector<std::size_t>)
DOVETAIL_QUERY(max_clock_frequency, std::uint32_t)
DOVETAIL_QUERY(address_bits, std::uint32_t)
DOVETAIL_QUERY(max_mem_alloc_size, std::uint64_t)
DOVETAIL_QUERY(global_mem_size, std::uint64_t)
DOVETAIL_QUERY(local_mem_type, info::local_mem_type)
DOVETAIL_QUERY(local_mem_size, std::uint64_t)
DOVETAIL_QUERY(is_available, bool)
DOVETAIL_QUERY(platform, sycl::platform)
DOVETAIL_QUERY(name, std::string)
DOVETAIL_QUERY(vendor, std::string)
DOVETAIL_QUERY(driver_version, std::string)
DOVETAIL_QUERY(version, std::string)
DOVETAIL_QUERY(aspects, std::vector<aspect>)
DOVETAIL_QUERY(extensions, std::vector<std::string>)

template <int Dimensions = 3> DOVETAIL_QUERY(max_work_item_sizes, range<Dimensions>)

#undef DOVETAIL_QUERY

} // namespace device
} // namespace info
} // namespace _V1
} // namespace sycl

// info::device: the queries of a device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <sycl/aspects.hpp>
#include <sycl/detail/deprecated.hpp>
#include <sycl/ext/intel/info/device.hpp>
#include <sycl/id.hpp>
#include <sycl/info/device_type.hpp>
#include <sycl/kernel_id.hpp>
#include <sycl/memory_order.hpp>
#include <sycl/memory_scope.hpp>
#include <sycl/range.hpp>
#include <vector>

namespace sycl {
inline namespace _V1 {

class device;
class platform;

namespace info {

enum class local_mem_type : int { none, local, global };
enum class global_mem_cache_type : int { none, read_only, read_write };
enum class execution_capability : unsigned int { exec_kernel, exec_native_kernel };

// The numbers are those of OpenCL's bits.
enum class fp_config : std::uint32_t {
  denorm = 1,
  inf_nan = 2,
  round_to_nearest = 4,
  round_to_zero = 8,
  round_to_inf = 16,
  fma = 32,
  soft_float = 64,
  correctly_rounded_divide_sqrt = 128,
};

enum class partition_property : std::intptr_t {
  no_partition = 0,
  partition_equally = 0x1086,
  partition_by_counts = 0x1087,
  partition_by_affinity_domain = 0x1088,
  ext_intel_partition_by_cslice = 0x1089,
};

enum class partition_affinity_domain : std::intptr_t {
  not_applicable = 0,
  numa = 1,
  L4_cache = 2,
  L3_cache = 4,
  L2_cache = 8,
  L1_cache = 16,
  next_partitionable = 32,
};

namespace device {

#define DOVETAIL_QUERY(NAME, ...)                                                                  \
  struct NAME {                                                                                    \
    using return_type = __VA_ARGS__;                                                               \
  };

#define DOVETAIL_OLD_QUERY(NAME, ...)                                                              \
  struct DOVETAIL_DEPRECATED("not in SYCL 2020") NAME {                                            \
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
DOVETAIL_QUERY(preferred_vector_width_char, std::uint32_t)
DOVETAIL_QUERY(preferred_vector_width_short, std::uint32_t)
DOVETAIL_QUERY(preferred_vector_width_int, std::uint32_t)
DOVETAIL_QUERY(preferred_vector_width_long, std::uint32_t)
DOVETAIL_QUERY(preferred_vector_width_float, std::uint32_t)
DOVETAIL_QUERY(preferred_vector_width_double, std::uint32_t)
DOVETAIL_QUERY(preferred_vector_width_half, std::uint32_t)
DOVETAIL_QUERY(preferred_vector_width_long_long, std::uint32_t)
DOVETAIL_QUERY(native_vector_width_char, std::uint32_t)
DOVETAIL_QUERY(native_vector_width_short, std::uint32_t)
DOVETAIL_QUERY(native_vector_width_int, std::uint32_t)
DOVETAIL_QUERY(native_vector_width_long, std::uint32_t)
DOVETAIL_QUERY(native_vector_width_float, std::uint32_t)
DOVETAIL_QUERY(native_vector_width_double, std::uint32_t)
DOVETAIL_QUERY(native_vector_width_half, std::uint32_t)
DOVETAIL_QUERY(native_vector_width_long_long, std::uint32_t)
DOVETAIL_QUERY(max_read_image_args, std::uint32_t)
DOVETAIL_QUERY(max_write_image_args, std::uint32_t)
DOVETAIL_QUERY(max_samplers, std::uint32_t)
DOVETAIL_QUERY(image2d_max_width, std::size_t)
DOVETAIL_QUERY(image2d_max_height, std::size_t)
DOVETAIL_QUERY(image3d_max_width, std::size_t)
DOVETAIL_QUERY(image3d_max_height, std::size_t)
DOVETAIL_QUERY(image3d_max_depth, std::size_t)
DOVETAIL_QUERY(image_max_buffer_size, std::size_t)
DOVETAIL_QUERY(max_parameter_size, std::size_t)
DOVETAIL_QUERY(profiling_timer_resolution, std::size_t)
DOVETAIL_QUERY(mem_base_addr_align, std::uint32_t)
DOVETAIL_QUERY(half_fp_config, std::vector<info::fp_config>)
DOVETAIL_QUERY(single_fp_config, std::vector<info::fp_config>)
DOVETAIL_QUERY(double_fp_config, std::vector<info::fp_config>)
DOVETAIL_QUERY(global_mem_cache_type, info::global_mem_cache_type)
DOVETAIL_QUERY(global_mem_cache_line_size, std::uint32_t)
DOVETAIL_QUERY(global_mem_cache_size, std::uint64_t)
DOVETAIL_QUERY(error_correction_support, bool)
DOVETAIL_QUERY(atomic_memory_order_capabilities, std::vector<memory_order>)
DOVETAIL_QUERY(atomic_memory_scope_capabilities, std::vector<memory_scope>)
DOVETAIL_QUERY(atomic_fence_order_capabilities, std::vector<memory_order>)
DOVETAIL_QUERY(atomic_fence_scope_capabilities, std::vector<memory_scope>)
DOVETAIL_QUERY(backend_version, std::string)
DOVETAIL_QUERY(built_in_kernel_ids, std::vector<kernel_id>)
DOVETAIL_QUERY(partition_max_sub_devices, std::uint32_t)
DOVETAIL_QUERY(partition_properties, std::vector<info::partition_property>)
DOVETAIL_QUERY(partition_affinity_domains, std::vector<info::partition_affinity_domain>)
DOVETAIL_QUERY(partition_type_property, info::partition_property)
DOVETAIL_QUERY(partition_type_affinity_domain, info::partition_affinity_domain)
DOVETAIL_QUERY(parent_device, sycl::device)

// SYCL 2020 has no more use for these.
DOVETAIL_OLD_QUERY(extensions, std::vector<std::string>)
DOVETAIL_OLD_QUERY(max_constant_buffer_size, std::uint64_t)
DOVETAIL_OLD_QUERY(max_constant_args, std::uint32_t)
DOVETAIL_OLD_QUERY(host_unified_memory, bool)
DOVETAIL_OLD_QUERY(is_endian_little, bool)
DOVETAIL_OLD_QUERY(is_compiler_available, bool)
DOVETAIL_OLD_QUERY(is_linker_available, bool)
DOVETAIL_OLD_QUERY(image_support, bool)
DOVETAIL_OLD_QUERY(queue_profiling, bool)
DOVETAIL_OLD_QUERY(execution_capabilities, std::vector<info::execution_capability>)
DOVETAIL_OLD_QUERY(built_in_kernels, std::vector<std::string>)
DOVETAIL_OLD_QUERY(profile, std::string)
DOVETAIL_OLD_QUERY(opencl_c_version, std::string)
DOVETAIL_OLD_QUERY(printf_buffer_size, std::size_t)
DOVETAIL_OLD_QUERY(preferred_interop_user_sync, bool)
DOVETAIL_OLD_QUERY(reference_count, std::uint32_t)
DOVETAIL_OLD_QUERY(image_max_array_size, std::size_t)
DOVETAIL_OLD_QUERY(sub_group_independent_forward_progress, bool)
DOVETAIL_OLD_QUERY(atomic64, bool)
DOVETAIL_OLD_QUERY(ext_intel_pci_address, std::string)
DOVETAIL_OLD_QUERY(ext_intel_gpu_eu_count, std::uint32_t)
DOVETAIL_OLD_QUERY(ext_intel_gpu_eu_simd_width, std::uint32_t)
DOVETAIL_OLD_QUERY(ext_intel_gpu_slices, std::uint32_t)
DOVETAIL_OLD_QUERY(ext_intel_gpu_subslices_per_slice, std::uint32_t)
DOVETAIL_OLD_QUERY(ext_intel_gpu_eu_count_per_subslice, std::uint32_t)
DOVETAIL_OLD_QUERY(ext_intel_gpu_hw_threads_per_eu, std::uint32_t)
DOVETAIL_OLD_QUERY(ext_intel_max_mem_bandwidth, std::uint64_t)
DOVETAIL_OLD_QUERY(ext_intel_device_info_uuid, detail::uuid_type)
DOVETAIL_OLD_QUERY(ext_oneapi_srgb, bool)
DOVETAIL_OLD_QUERY(ext_oneapi_max_global_work_groups, std::size_t)
DOVETAIL_OLD_QUERY(ext_oneapi_max_work_groups_1d, id<1>)
DOVETAIL_OLD_QUERY(ext_oneapi_max_work_groups_2d, id<2>)
DOVETAIL_OLD_QUERY(ext_oneapi_max_work_groups_3d, id<3>)
DOVETAIL_OLD_QUERY(usm_device_allocations, bool)
DOVETAIL_OLD_QUERY(usm_host_allocations, bool)
DOVETAIL_OLD_QUERY(usm_shared_allocations, bool)
DOVETAIL_OLD_QUERY(usm_restricted_shared_allocations, bool)
DOVETAIL_OLD_QUERY(usm_system_allocations, bool)

template <int Dimensions = 3> DOVETAIL_QUERY(max_work_item_sizes, range<Dimensions>)

#undef DOVETAIL_OLD_QUERY
#undef DOVETAIL_QUERY

} // namespace device
} // namespace info
} // namespace _V1
} // namespace sycl

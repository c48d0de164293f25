// The answers of a device to queries that only the driver can answer, and of those that SYCL
// derives from aspects.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <sycl/aspects.hpp>
#include <sycl/detail/fail.hpp>
#include <sycl/detail/host/api.hpp>
#include <sycl/detail/host/body.hpp>
#include <sycl/detail/host/device_answer.hpp>
#include <sycl/detail/host/device_info.hpp>
#include <sycl/device.hpp>
#include <sycl/errc.hpp>
#include <sycl/exception.hpp>
#include <sycl/ext/intel/info/device.hpp>
#include <sycl/ext/oneapi/experimental/info/device.hpp>
#include <sycl/ext/oneapi/info/device.hpp>
#include <sycl/id.hpp>
#include <sycl/info/device.hpp>
#include <sycl/kernel_id.hpp>
#include <sycl/memory_order.hpp>
#include <sycl/memory_scope.hpp>
#include <utility>
#include <vector>

// The deprecated queries are answered too.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"

namespace sycl {
inline namespace _V1 {
namespace detail {
namespace host {

DOVETAIL_HOST_BODY bool has(std::uint32_t device, aspect feature) {
  return device_access::make(device).has(feature);
}

[[noreturn]] DOVETAIL_HOST_BODY void not_reported(std::uint32_t device) {
  throw exception(make_error_code(errc::feature_not_supported),
                  "the driver of '" + ask_text(device, device_query::name) +
                      "' does not report this property");
}

DOVETAIL_HOST_BODY std::uint64_t ask_detail(std::uint32_t device, device_query query) {
  if (ask_size(device, query) == 0)
    not_reported(device);
  return ask<std::uint64_t>(device, query);
}

#define DOVETAIL_ANSWER(CLASS, NAME)                                                               \
  template <> struct device_answer<CLASS::NAME> {                                                  \
    static CLASS::NAME::return_type get(std::uint32_t device) {                                    \
      return static_cast<CLASS::NAME::return_type>(ask_detail(device, device_query::NAME));        \
    }                                                                                              \
  };
DOVETAIL_ANSWER(info::device, preferred_vector_width_char)
DOVETAIL_ANSWER(info::device, preferred_vector_width_short)
DOVETAIL_ANSWER(info::device, preferred_vector_width_int)
DOVETAIL_ANSWER(info::device, preferred_vector_width_long)
DOVETAIL_ANSWER(info::device, preferred_vector_width_float)
DOVETAIL_ANSWER(info::device, native_vector_width_char)
DOVETAIL_ANSWER(info::device, native_vector_width_short)
DOVETAIL_ANSWER(info::device, native_vector_width_int)
DOVETAIL_ANSWER(info::device, native_vector_width_long)
DOVETAIL_ANSWER(info::device, native_vector_width_float)
DOVETAIL_ANSWER(info::device, max_read_image_args)
DOVETAIL_ANSWER(info::device, max_write_image_args)
DOVETAIL_ANSWER(info::device, max_samplers)
DOVETAIL_ANSWER(info::device, image2d_max_width)
DOVETAIL_ANSWER(info::device, image2d_max_height)
DOVETAIL_ANSWER(info::device, image3d_max_width)
DOVETAIL_ANSWER(info::device, image3d_max_height)
DOVETAIL_ANSWER(info::device, image3d_max_depth)
DOVETAIL_ANSWER(info::device, image_max_buffer_size)
DOVETAIL_ANSWER(info::device, max_parameter_size)
DOVETAIL_ANSWER(info::device, profiling_timer_resolution)
DOVETAIL_ANSWER(info::device, mem_base_addr_align)
DOVETAIL_ANSWER(info::device, global_mem_cache_type)
DOVETAIL_ANSWER(info::device, global_mem_cache_line_size)
DOVETAIL_ANSWER(info::device, global_mem_cache_size)
DOVETAIL_ANSWER(info::device, error_correction_support)
DOVETAIL_ANSWER(info::device, is_available)
DOVETAIL_ANSWER(info::device, max_constant_buffer_size)
DOVETAIL_ANSWER(info::device, max_constant_args)
DOVETAIL_ANSWER(info::device, host_unified_memory)
DOVETAIL_ANSWER(info::device, is_endian_little)
DOVETAIL_ANSWER(info::device, is_compiler_available)
DOVETAIL_ANSWER(info::device, is_linker_available)
DOVETAIL_ANSWER(info::device, printf_buffer_size)
DOVETAIL_ANSWER(info::device, preferred_interop_user_sync)
DOVETAIL_ANSWER(info::device, image_max_array_size)
DOVETAIL_ANSWER(info::device, sub_group_independent_forward_progress)
#undef DOVETAIL_ANSWER

// 0 without the aspect.
#define DOVETAIL_ANSWER(NAME, ASPECT)                                                              \
  template <> struct device_answer<info::device::NAME> {                                           \
    static std::uint32_t get(std::uint32_t device) {                                               \
      bool supported = has(device, aspect::ASPECT);                                                \
      return supported ? static_cast<std::uint32_t>(ask_detail(device, device_query::NAME)) : 0;   \
    }                                                                                              \
  };
DOVETAIL_ANSWER(preferred_vector_width_double, fp64)
DOVETAIL_ANSWER(preferred_vector_width_half, fp16)
DOVETAIL_ANSWER(native_vector_width_double, fp64)
DOVETAIL_ANSWER(native_vector_width_half, fp16)
#undef DOVETAIL_ANSWER

template <>
struct device_answer<info::device::preferred_vector_width_long_long>
    : device_answer<info::device::preferred_vector_width_long> {};
template <>
struct device_answer<info::device::native_vector_width_long_long>
    : device_answer<info::device::native_vector_width_long> {};

#define DOVETAIL_ANSWER(NAME, ASPECT)                                                              \
  template <> struct device_answer<info::device::NAME> {                                           \
    static bool get(std::uint32_t device) { return has(device, aspect::ASPECT); }                  \
  };
DOVETAIL_ANSWER(image_support, image)
DOVETAIL_ANSWER(queue_profiling, queue_profiling)
DOVETAIL_ANSWER(atomic64, atomic64)
DOVETAIL_ANSWER(usm_device_allocations, usm_device_allocations)
DOVETAIL_ANSWER(usm_host_allocations, usm_host_allocations)
DOVETAIL_ANSWER(usm_shared_allocations, usm_shared_allocations)
DOVETAIL_ANSWER(usm_restricted_shared_allocations, usm_restricted_shared_allocations)
DOVETAIL_ANSWER(usm_system_allocations, usm_system_allocations)
DOVETAIL_ANSWER(ext_oneapi_srgb, ext_oneapi_srgb)
#undef DOVETAIL_ANSWER

#define DOVETAIL_ANSWER(NAME)                                                                      \
  template <> struct device_answer<info::device::NAME> {                                           \
    static std::string get(std::uint32_t device) { return ask_text(device, device_query::NAME); }  \
  };
DOVETAIL_ANSWER(profile)
DOVETAIL_ANSWER(opencl_c_version)
#undef DOVETAIL_ANSWER

template <> struct device_answer<info::device::built_in_kernels> {
  static std::vector<std::string> get(std::uint32_t device) {
    return split_words(ask_text(device, device_query::built_in_kernels), ';');
  }
};

// Kernels have identifiers only in a program.
template <> struct device_answer<info::device::built_in_kernel_ids> {
  static std::vector<kernel_id> get(std::uint32_t) { return {}; }
};

// Such as 3.1, of "OpenCL 3.1 (Build 0)".
template <> struct device_answer<info::device::backend_version> {
  static std::string get(std::uint32_t device) {
    std::vector<std::string> words = split_words(ask_text(device, device_query::version));
    return words.size() > 1 ? words[1] : std::string();
  }
};

template <> struct device_answer<info::device::local_mem_type> {
  static info::local_mem_type get(std::uint32_t device) {
    return static_cast<info::local_mem_type>(ask_detail(device, device_query::local_mem_type));
  }
};

// The values whose bits are set.
template <typename Value>
std::vector<Value> values_of(std::uint64_t bits,
                             const std::vector<std::pair<std::uint64_t, Value>> &values) {
  std::vector<Value> found;
  for (const auto &[bit, value] : values)
    if (bits & bit)
      found.push_back(value);
  return found;
}

DOVETAIL_HOST_BODY std::vector<info::fp_config> fp_configs(std::uint64_t bits) {
  std::vector<info::fp_config> found;
  for (std::uint32_t bit = 1; bit <= 128; bit *= 2)
    if (bits & bit)
      found.push_back(static_cast<info::fp_config>(bit));
  return found;
}

template <> struct device_answer<info::device::single_fp_config> {
  static std::vector<info::fp_config> get(std::uint32_t device) {
    return fp_configs(ask_detail(device, device_query::single_fp_config));
  }
};
template <> struct device_answer<info::device::half_fp_config> {
  static std::vector<info::fp_config> get(std::uint32_t device) {
    bool supported = has(device, aspect::fp16);
    return fp_configs(supported ? ask_detail(device, device_query::half_fp_config) : 0);
  }
};
template <> struct device_answer<info::device::double_fp_config> {
  static std::vector<info::fp_config> get(std::uint32_t device) {
    bool supported = has(device, aspect::fp64);
    return fp_configs(supported ? ask_detail(device, device_query::double_fp_config) : 0);
  }
};

template <> struct device_answer<info::device::execution_capabilities> {
  static std::vector<info::execution_capability> get(std::uint32_t device) {
    return values_of<info::execution_capability>(
        ask_detail(device, device_query::execution_capabilities),
        {{1, info::execution_capability::exec_kernel},
         {2, info::execution_capability::exec_native_kernel}});
  }
};

// OpenCL has no separate bits for acquire and release, nor for sub-groups, which are parts of
// work-groups.
DOVETAIL_HOST_BODY std::vector<memory_order> memory_orders(std::uint64_t bits) {
  return values_of<memory_order>(bits, {{1, memory_order::relaxed},
                                        {2, memory_order::acquire},
                                        {2, memory_order::release},
                                        {2, memory_order::acq_rel},
                                        {4, memory_order::seq_cst}});
}
DOVETAIL_HOST_BODY std::vector<memory_scope> memory_scopes(std::uint64_t bits) {
  return values_of<memory_scope>(bits, {{8 | 16, memory_scope::work_item},
                                        {16, memory_scope::sub_group},
                                        {16, memory_scope::work_group},
                                        {32, memory_scope::device},
                                        {64, memory_scope::system}});
}

#define DOVETAIL_ANSWER(NAME)                                                                      \
  template <> struct device_answer<info::device::NAME##_order_capabilities> {                      \
    static std::vector<memory_order> get(std::uint32_t device) {                                   \
      return memory_orders(ask_detail(device, device_query::NAME##_capabilities));                 \
    }                                                                                              \
  };                                                                                               \
  template <> struct device_answer<info::device::NAME##_scope_capabilities> {                      \
    static std::vector<memory_scope> get(std::uint32_t device) {                                   \
      return memory_scopes(ask_detail(device, device_query::NAME##_capabilities));                 \
    }                                                                                              \
  };
DOVETAIL_ANSWER(atomic_memory)
DOVETAIL_ANSWER(atomic_fence)
#undef DOVETAIL_ANSWER

// No device has sub-devices.
template <> struct device_answer<info::device::partition_max_sub_devices> {
  static std::uint32_t get(std::uint32_t) { return 0; }
};
template <> struct device_answer<info::device::partition_properties> {
  static std::vector<info::partition_property> get(std::uint32_t) { return {}; }
};
template <> struct device_answer<info::device::partition_affinity_domains> {
  static std::vector<info::partition_affinity_domain> get(std::uint32_t) { return {}; }
};
template <> struct device_answer<info::device::partition_type_property> {
  static info::partition_property get(std::uint32_t) {
    return info::partition_property::no_partition;
  }
};
template <> struct device_answer<info::device::partition_type_affinity_domain> {
  static info::partition_affinity_domain get(std::uint32_t) {
    return info::partition_affinity_domain::not_applicable;
  }
};
template <> struct device_answer<info::device::parent_device> {
  [[noreturn]] static device get(std::uint32_t) {
    fail(errc::invalid, "the device is not a sub-device");
  }
};

// Devices are not counted.
template <> struct device_answer<info::device::reference_count> {
  static std::uint32_t get(std::uint32_t) { return 1; }
};

DOVETAIL_HOST_BODY void require(std::uint32_t device, aspect feature, const char *name) {
  if (!has(device, feature))
    throw exception(make_error_code(errc::feature_not_supported),
                    "'" + ask_text(device, device_query::name) + "' does not have aspect::" + name +
                        ", which the query requires");
}

#define DOVETAIL_ANSWER(NAME, ASPECT, ...)                                                         \
  template <> struct device_answer<ext::intel::info::device::NAME> {                               \
    static ext::intel::info::device::NAME::return_type get(std::uint32_t device) {                 \
      require(device, aspect::ASPECT, #ASPECT);                                                    \
      __VA_ARGS__                                                                                  \
    }                                                                                              \
  };
#define DOVETAIL_NUMBER(NAME)                                                                      \
  DOVETAIL_ANSWER(NAME, ext_intel_##NAME,                                                          \
                  return static_cast<std::uint32_t>(ask_detail(device, device_query::NAME));)
DOVETAIL_NUMBER(device_id)
DOVETAIL_NUMBER(gpu_eu_count)
DOVETAIL_NUMBER(gpu_slices)
DOVETAIL_NUMBER(gpu_subslices_per_slice)
DOVETAIL_NUMBER(gpu_eu_count_per_subslice)
DOVETAIL_NUMBER(gpu_hw_threads_per_eu)
#undef DOVETAIL_NUMBER

DOVETAIL_ANSWER(uuid, ext_intel_device_info_uuid,
                if (ask_size(device, device_query::uuid) ==
                    sizeof(uuid_type)) return ask<uuid_type>(device, device_query::uuid);
                not_reported(device);)

// OpenCL has no queries for these.
#define DOVETAIL_UNKNOWN(NAME) DOVETAIL_ANSWER(NAME, ext_intel_##NAME, not_reported(device);)
DOVETAIL_UNKNOWN(pci_address)
DOVETAIL_UNKNOWN(gpu_eu_simd_width)
DOVETAIL_UNKNOWN(max_mem_bandwidth)
DOVETAIL_UNKNOWN(free_memory)
DOVETAIL_UNKNOWN(memory_clock_rate)
DOVETAIL_UNKNOWN(memory_bus_width)
#undef DOVETAIL_UNKNOWN
#undef DOVETAIL_ANSWER

// Older names.
#define DOVETAIL_ANSWER(NAME)                                                                      \
  template <>                                                                                      \
  struct device_answer<info::device::ext_intel_##NAME>                                             \
      : device_answer<ext::intel::info::device::NAME> {};
DOVETAIL_ANSWER(pci_address)
DOVETAIL_ANSWER(gpu_eu_count)
DOVETAIL_ANSWER(gpu_eu_simd_width)
DOVETAIL_ANSWER(gpu_slices)
DOVETAIL_ANSWER(gpu_subslices_per_slice)
DOVETAIL_ANSWER(gpu_eu_count_per_subslice)
DOVETAIL_ANSWER(gpu_hw_threads_per_eu)
DOVETAIL_ANSWER(max_mem_bandwidth)
#undef DOVETAIL_ANSWER
template <>
struct device_answer<info::device::ext_intel_device_info_uuid>
    : device_answer<ext::intel::info::device::uuid> {};

template <> struct device_answer<ext::oneapi::info::device::num_compute_units> {
  static std::size_t get(std::uint32_t device) {
    return device_answer<info::device::max_compute_units>::get(device);
  }
};

// OpenCL has no limit but that of the numbers.
template <> struct device_answer<ext::oneapi::experimental::info::device::max_global_work_groups> {
  static std::size_t get(std::uint32_t) { return std::numeric_limits<std::size_t>::max(); }
};
template <int Dimensions>
struct device_answer<ext::oneapi::experimental::info::device::max_work_groups<Dimensions>> {
  static id<Dimensions> get(std::uint32_t) {
    id<Dimensions> result;
    for (int i = 0; i < Dimensions; ++i)
      result[i] = std::numeric_limits<std::size_t>::max();
    return result;
  }
};
template <>
struct device_answer<info::device::ext_oneapi_max_global_work_groups>
    : device_answer<ext::oneapi::experimental::info::device::max_global_work_groups> {};
#define DOVETAIL_ANSWER(DIMENSIONS)                                                                \
  template <>                                                                                      \
  struct device_answer<info::device::ext_oneapi_max_work_groups_##DIMENSIONS##d>                   \
      : device_answer<ext::oneapi::experimental::info::device::max_work_groups<DIMENSIONS>> {};
DOVETAIL_ANSWER(1)
DOVETAIL_ANSWER(2)
DOVETAIL_ANSWER(3)
#undef DOVETAIL_ANSWER

// All work of a device shares one.
template <> struct device_answer<ext::intel::info::device::max_compute_queue_indices> {
  static std::int32_t get(std::uint32_t) { return 1; }
};

} // namespace host
} // namespace detail
} // namespace _V1
} // namespace sycl

#pragma clang diagnostic pop

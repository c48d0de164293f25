// A report on each device: all of its properties, as SYCL's information descriptors tell them, with
// checks of those that depend on each other. `device_report -v` prints the report.
#include <sycl/sycl.hpp>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

static bool verbose = false;

static std::string text(const std::string &value) { return value; }
static std::string text(bool value) { return value ? "yes" : "no"; }
static std::string text(const sycl::platform &value) {
  return value.get_info<sycl::info::platform::name>();
}
template <int Dimensions> static std::string text(const sycl::range<Dimensions> &value) {
  std::string result;
  for (int i = 0; i < Dimensions; ++i)
    result += (i ? " x " : "") + std::to_string(value[i]);
  return result;
}
template <typename T> static std::string text(const T &value) {
  if constexpr (std::is_enum_v<T>)
    return std::to_string(static_cast<long>(value));
  else
    return std::to_string(value);
}
template <typename T> static std::string text(const std::vector<T> &values) {
  std::string result;
  for (const T &value : values)
    result += (result.empty() ? "" : " ") + text(value);
  return result;
}

template <typename Query> static void report(const sycl::device &device, const char *name) {
  std::string value = text(device.get_info<Query>());
  if (verbose)
    std::printf("  %-36s %s\n", name, value.c_str());
}

#define REPORT(NAME) report<sycl::info::device::NAME>(device, #NAME)

static void report_numbers(const sycl::device &device) {
  REPORT(vendor_id);
  REPORT(max_compute_units);
  REPORT(max_work_item_dimensions);
  REPORT(max_work_item_sizes<1>);
  REPORT(max_work_item_sizes<2>);
  REPORT(max_work_item_sizes<3>);
  REPORT(max_work_group_size);
  REPORT(max_num_sub_groups);
  REPORT(sub_group_sizes);
  REPORT(preferred_vector_width_char);
  REPORT(preferred_vector_width_short);
  REPORT(preferred_vector_width_int);
  REPORT(preferred_vector_width_long);
  REPORT(preferred_vector_width_float);
  REPORT(preferred_vector_width_double);
  REPORT(preferred_vector_width_half);
  REPORT(native_vector_width_char);
  REPORT(native_vector_width_short);
  REPORT(native_vector_width_int);
  REPORT(native_vector_width_long);
  REPORT(native_vector_width_float);
  REPORT(native_vector_width_double);
  REPORT(native_vector_width_half);
  REPORT(max_clock_frequency);
  REPORT(address_bits);
  REPORT(max_mem_alloc_size);
  REPORT(max_read_image_args);
  REPORT(max_write_image_args);
  REPORT(image2d_max_width);
  REPORT(image2d_max_height);
  REPORT(image3d_max_width);
  REPORT(image3d_max_height);
  REPORT(image3d_max_depth);
  REPORT(image_max_buffer_size);
  REPORT(max_samplers);
  REPORT(max_parameter_size);
  REPORT(mem_base_addr_align);
  REPORT(global_mem_cache_line_size);
  REPORT(global_mem_cache_size);
  REPORT(global_mem_size);
  REPORT(local_mem_size);
  REPORT(error_correction_support);
  REPORT(profiling_timer_resolution);
  REPORT(is_available);
  REPORT(partition_max_sub_devices);
}

static void report_others(const sycl::device &device) {
  REPORT(device_type);
  REPORT(half_fp_config);
  REPORT(single_fp_config);
  REPORT(double_fp_config);
  REPORT(global_mem_cache_type);
  REPORT(local_mem_type);
  REPORT(atomic_memory_order_capabilities);
  REPORT(atomic_fence_order_capabilities);
  REPORT(atomic_memory_scope_capabilities);
  REPORT(atomic_fence_scope_capabilities);
  REPORT(platform);
  REPORT(name);
  REPORT(vendor);
  REPORT(driver_version);
  REPORT(version);
  REPORT(backend_version);
  REPORT(aspects);
  REPORT(partition_properties);
  REPORT(partition_affinity_domains);
  REPORT(partition_type_property);
  REPORT(partition_type_affinity_domain);
}

template <typename T> static bool contains(const std::vector<T> &list, T value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

// A query that needs an aspect either answers or throws.
template <typename Query> static bool needs(const sycl::device &device, sycl::aspect aspect) {
  try {
    device.get_info<Query>();
    return device.has(aspect);
  } catch (const sycl::exception &error) {
    return error.code() == sycl::errc::feature_not_supported;
  }
}

static int inconsistencies(const sycl::device &device) {
  namespace info = sycl::info::device;
  namespace intel = sycl::ext::intel::info::device;
  using sycl::aspect;
  auto sizes = device.get_info<info::max_work_item_sizes<3>>();
  auto orders = device.get_info<info::atomic_memory_order_capabilities>();
  auto scopes = device.get_info<info::atomic_memory_scope_capabilities>();
  auto single = device.get_info<info::single_fp_config>();
  int errors = 0;
  errors += device.has(aspect::fp64) == device.get_info<info::double_fp_config>().empty();
  errors += device.has(aspect::fp16) == device.get_info<info::half_fp_config>().empty();
  errors += device.has(aspect::fp64) != (device.get_info<info::native_vector_width_double>() > 0);
  errors += !contains(single, sycl::info::fp_config::round_to_nearest);
  errors += !contains(orders, sycl::memory_order::relaxed);
  errors += !contains(scopes, sycl::memory_scope::work_group);
  errors += sizes[0] == 0 || sizes[1] == 0 || sizes[2] == 0;
  errors += device.get_info<info::max_mem_alloc_size>() > device.get_info<info::global_mem_size>();
  errors += device.get_info<info::address_bits>() != 8 * sizeof(void *);
  errors += device.get_info<info::max_parameter_size>() < 1024;
  errors += device.get_info<info::aspects>().empty() || !device.get_info<info::is_available>();
  errors += device.get_info<info::platform>() != device.get_platform();
  errors += !needs<intel::uuid>(device, aspect::ext_intel_device_info_uuid);
  errors += !needs<intel::pci_address>(device, aspect::ext_intel_pci_address);
  errors += !needs<intel::free_memory>(device, aspect::ext_intel_free_memory);
  errors += !needs<intel::gpu_eu_count>(device, aspect::ext_intel_gpu_eu_count);
  errors += !needs<intel::max_mem_bandwidth>(device, aspect::ext_intel_max_mem_bandwidth);
  try {
    device.get_info<info::parent_device>();
    ++errors;
  } catch (const sycl::exception &error) {
    errors += error.code() != sycl::errc::invalid;
  }
  return errors;
}

int main(int argc, char **argv) {
  verbose = argc > 1 && std::strcmp(argv[1], "-v") == 0;
  int errors = 0;
  for (const sycl::device &device : sycl::device::get_devices()) {
    report_numbers(device);
    report_others(device);
    errors += inconsistencies(device);
  }
  std::printf("device report: %d inconsistencies\n", errors);
  return errors != 0;
}

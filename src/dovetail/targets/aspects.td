//===----------------------------------------------------------------------===//
// SYCL's aspects. The numbers are those of 'enum class aspect' in current SYCL
// runtimes. They are an ABI: append new ones and never change one. A test compares
// this list with the headers'.
//===----------------------------------------------------------------------===//

class Aspect<string name, int number> {
  string Name = name;
  int Number = number;
}

// An aspect that still has a number but draws a warning; 'Instead' is its
// replacement. A device with the replacement has this one too.
class DeprecatedAspect<string name, int number, string instead> {
  string Name = name;
  int Number = number;
  string Instead = instead;
}

// Listed only by older documents; current runtimes have no number for it.
class RetiredAspect<string name, string purpose> {
  string Name = name;
  string Purpose = purpose;
}

def AspectTable : DynamicTable {
  let FilterClass = "Aspect";
  let Fields = ["Name", "Number"];
}

def DeprecatedAspectTable : DynamicTable {
  let FilterClass = "DeprecatedAspect";
  let Fields = ["Name", "Number", "Instead"];
}

def RetiredAspectTable : DynamicTable {
  let FilterClass = "RetiredAspect";
  let Fields = ["Name", "Purpose"];
}

def AspectCpu : Aspect<"cpu", 1>;
def AspectGpu : Aspect<"gpu", 2>;
def AspectAccelerator : Aspect<"accelerator", 3>;
def AspectCustom : Aspect<"custom", 4>;
def AspectFp16 : Aspect<"fp16", 5>;
def AspectFp64 : Aspect<"fp64", 6>;
def AspectImage : Aspect<"image", 9>;
def AspectOnline_compiler : Aspect<"online_compiler", 10>;
def AspectOnline_linker : Aspect<"online_linker", 11>;
def AspectQueue_profiling : Aspect<"queue_profiling", 12>;
def AspectUsm_device_allocations : Aspect<"usm_device_allocations", 13>;
def AspectUsm_host_allocations : Aspect<"usm_host_allocations", 14>;
def AspectUsm_shared_allocations : Aspect<"usm_shared_allocations", 15>;
def AspectUsm_system_allocations : Aspect<"usm_system_allocations", 17>;
def AspectExt_intel_pci_address : Aspect<"ext_intel_pci_address", 18>;
def AspectExt_intel_gpu_eu_count : Aspect<"ext_intel_gpu_eu_count", 19>;
def AspectExt_intel_gpu_eu_simd_width : Aspect<"ext_intel_gpu_eu_simd_width", 20>;
def AspectExt_intel_gpu_slices : Aspect<"ext_intel_gpu_slices", 21>;
def AspectExt_intel_gpu_subslices_per_slice : Aspect<"ext_intel_gpu_subslices_per_slice", 22>;
def AspectExt_intel_gpu_eu_count_per_subslice : Aspect<"ext_intel_gpu_eu_count_per_subslice", 23>;
def AspectExt_intel_max_mem_bandwidth : Aspect<"ext_intel_max_mem_bandwidth", 24>;
def AspectUsm_atomic_host_allocations : Aspect<"usm_atomic_host_allocations", 25>;
def AspectUsm_atomic_shared_allocations : Aspect<"usm_atomic_shared_allocations", 26>;
def AspectAtomic64 : Aspect<"atomic64", 27>;
def AspectExt_intel_device_info_uuid : Aspect<"ext_intel_device_info_uuid", 28>;
def AspectExt_oneapi_srgb : Aspect<"ext_oneapi_srgb", 29>;
def AspectExt_oneapi_native_assert : Aspect<"ext_oneapi_native_assert", 30>;
def AspectHost_debuggable : Aspect<"host_debuggable", 31>;
def AspectExt_intel_gpu_hw_threads_per_eu : Aspect<"ext_intel_gpu_hw_threads_per_eu", 32>;
def AspectExt_oneapi_cuda_async_barrier : Aspect<"ext_oneapi_cuda_async_barrier", 33>;
def AspectExt_intel_free_memory : Aspect<"ext_intel_free_memory", 34>;
def AspectExt_intel_device_id : Aspect<"ext_intel_device_id", 35>;
def AspectExt_intel_memory_clock_rate : Aspect<"ext_intel_memory_clock_rate", 36>;
def AspectExt_intel_memory_bus_width : Aspect<"ext_intel_memory_bus_width", 37>;
def AspectEmulated : Aspect<"emulated", 38>;
def AspectExt_intel_legacy_image : Aspect<"ext_intel_legacy_image", 39>;
def AspectExt_oneapi_bindless_images : Aspect<"ext_oneapi_bindless_images", 40>;
def AspectExt_oneapi_bindless_images_shared_usm : Aspect<"ext_oneapi_bindless_images_shared_usm", 41>;
def AspectExt_oneapi_bindless_images_1d_usm : Aspect<"ext_oneapi_bindless_images_1d_usm", 42>;
def AspectExt_oneapi_bindless_images_2d_usm : Aspect<"ext_oneapi_bindless_images_2d_usm", 43>;
def AspectExt_oneapi_external_memory_import : Aspect<"ext_oneapi_external_memory_import", 44>;
def AspectExt_oneapi_external_semaphore_import : Aspect<"ext_oneapi_external_semaphore_import", 45>;
def AspectExt_oneapi_mipmap : Aspect<"ext_oneapi_mipmap", 46>;
def AspectExt_oneapi_mipmap_anisotropy : Aspect<"ext_oneapi_mipmap_anisotropy", 47>;
def AspectExt_oneapi_mipmap_level_reference : Aspect<"ext_oneapi_mipmap_level_reference", 48>;
def AspectExt_intel_esimd : Aspect<"ext_intel_esimd", 49>;
def AspectExt_oneapi_fragment : Aspect<"ext_oneapi_fragment", 50>;
def AspectExt_oneapi_chunk : Aspect<"ext_oneapi_chunk", 51>;
def AspectExt_oneapi_tangle : Aspect<"ext_oneapi_tangle", 52>;
def AspectExt_intel_matrix : Aspect<"ext_intel_matrix", 53>;
def AspectExt_oneapi_is_composite : Aspect<"ext_oneapi_is_composite", 54>;
def AspectExt_oneapi_is_component : Aspect<"ext_oneapi_is_component", 55>;
def AspectExt_oneapi_graph : Aspect<"ext_oneapi_graph", 56>;
def AspectExt_oneapi_limited_graph : Aspect<"ext_oneapi_limited_graph", 57>;
def AspectExt_oneapi_private_alloca : Aspect<"ext_oneapi_private_alloca", 58>;
def AspectExt_oneapi_cubemap : Aspect<"ext_oneapi_cubemap", 59>;
def AspectExt_oneapi_cubemap_seamless_filtering : Aspect<"ext_oneapi_cubemap_seamless_filtering", 60>;
def AspectExt_oneapi_bindless_sampled_image_fetch_1d_usm : Aspect<"ext_oneapi_bindless_sampled_image_fetch_1d_usm", 61>;
def AspectExt_oneapi_bindless_sampled_image_fetch_1d : Aspect<"ext_oneapi_bindless_sampled_image_fetch_1d", 62>;
def AspectExt_oneapi_bindless_sampled_image_fetch_2d_usm : Aspect<"ext_oneapi_bindless_sampled_image_fetch_2d_usm", 63>;
def AspectExt_oneapi_bindless_sampled_image_fetch_2d : Aspect<"ext_oneapi_bindless_sampled_image_fetch_2d", 64>;
def AspectExt_oneapi_bindless_sampled_image_fetch_3d : Aspect<"ext_oneapi_bindless_sampled_image_fetch_3d", 65>;
def AspectExt_oneapi_queue_profiling_tag : Aspect<"ext_oneapi_queue_profiling_tag", 66>;
def AspectExt_oneapi_virtual_mem : Aspect<"ext_oneapi_virtual_mem", 67>;
def AspectExt_oneapi_cuda_cluster_group : Aspect<"ext_oneapi_cuda_cluster_group", 68>;
def AspectExt_oneapi_image_array : Aspect<"ext_oneapi_image_array", 69>;
def AspectExt_oneapi_unique_addressing_per_dim : Aspect<"ext_oneapi_unique_addressing_per_dim", 70>;
def AspectExt_oneapi_bindless_images_sample_1d_usm : Aspect<"ext_oneapi_bindless_images_sample_1d_usm", 71>;
def AspectExt_oneapi_bindless_images_sample_2d_usm : Aspect<"ext_oneapi_bindless_images_sample_2d_usm", 72>;
def AspectExt_oneapi_atomic16 : Aspect<"ext_oneapi_atomic16", 73>;
def AspectExt_oneapi_virtual_functions : Aspect<"ext_oneapi_virtual_functions", 74>;
def AspectExt_intel_spill_memory_size : Aspect<"ext_intel_spill_memory_size", 75>;
def AspectExt_oneapi_bindless_images_gather : Aspect<"ext_oneapi_bindless_images_gather", 76>;
def AspectExt_intel_current_clock_throttle_reasons : Aspect<"ext_intel_current_clock_throttle_reasons", 77>;
def AspectExt_intel_fan_speed : Aspect<"ext_intel_fan_speed", 78>;
def AspectExt_intel_power_limits : Aspect<"ext_intel_power_limits", 79>;
def AspectExt_oneapi_async_memory_alloc : Aspect<"ext_oneapi_async_memory_alloc", 80>;
def AspectExt_intel_device_info_luid : Aspect<"ext_intel_device_info_luid", 81>;
def AspectExt_intel_device_info_node_mask : Aspect<"ext_intel_device_info_node_mask", 82>;
def AspectExt_oneapi_exportable_device_mem : Aspect<"ext_oneapi_exportable_device_mem", 83>;
def AspectExt_oneapi_clock_sub_group : Aspect<"ext_oneapi_clock_sub_group", 84>;
def AspectExt_oneapi_clock_work_group : Aspect<"ext_oneapi_clock_work_group", 85>;
def AspectExt_oneapi_clock_device : Aspect<"ext_oneapi_clock_device", 86>;
def AspectExt_oneapi_is_integrated_gpu : Aspect<"ext_oneapi_is_integrated_gpu", 87>;
def AspectExt_oneapi_ipc_memory : Aspect<"ext_oneapi_ipc_memory", 88>;
def AspectExt_oneapi_device_wait : Aspect<"ext_oneapi_device_wait", 89>;
def AspectExt_intel_xe_stack_count : Aspect<"ext_intel_xe_stack_count", 90>;
def AspectExt_intel_xe_regions_per_stack : Aspect<"ext_intel_xe_regions_per_stack", 91>;
def AspectExt_intel_xe_clusters_per_region : Aspect<"ext_intel_xe_clusters_per_region", 92>;
def AspectExt_intel_xe_cores_per_cluster : Aspect<"ext_intel_xe_cores_per_cluster", 93>;
def AspectExt_intel_eus_per_xe_core : Aspect<"ext_intel_eus_per_xe_core", 94>;
def AspectExt_intel_max_lanes_per_hw_thread : Aspect<"ext_intel_max_lanes_per_hw_thread", 95>;
def AspectExt_oneapi_ipc_physical_memory : Aspect<"ext_oneapi_ipc_physical_memory", 96>;
def AspectExt_oneapi_register_host_memory : Aspect<"ext_oneapi_register_host_memory", 97>;
def AspectExt_oneapi_per_event_profiling : Aspect<"ext_oneapi_per_event_profiling", 98>;
def AspectExt_oneapi_ipc_event : Aspect<"ext_oneapi_ipc_event", 99>;

def AspectHost : DeprecatedAspect<"host", 0, "">;
def AspectInt64_base_atomics : DeprecatedAspect<"int64_base_atomics", 7, "atomic64">;
def AspectInt64_extended_atomics : DeprecatedAspect<"int64_extended_atomics", 8, "atomic64">;
def AspectUsm_restricted_shared_allocations : DeprecatedAspect<"usm_restricted_shared_allocations", 16, "usm_shared_allocations">;
def AspectUsm_system_allocator : DeprecatedAspect<"usm_system_allocator", 17, "usm_system_allocations">;

def AspectExt_intel_mem_channel : RetiredAspect<"ext_intel_mem_channel", "memory channels of FPGA boards">;
def AspectExt_oneapi_bfloat16_math_functions
    : RetiredAspect<"ext_oneapi_bfloat16_math_functions", "math functions of bfloat16">;

"""The numbers of `sycl::aspect` are an ABI: this list says what they are."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

ASPECTS = {
    "cpu": 1,
    "gpu": 2,
    "accelerator": 3,
    "custom": 4,
    "fp16": 5,
    "fp64": 6,
    "image": 9,
    "online_compiler": 10,
    "online_linker": 11,
    "queue_profiling": 12,
    "usm_device_allocations": 13,
    "usm_host_allocations": 14,
    "usm_shared_allocations": 15,
    "usm_system_allocations": 17,
    "ext_intel_pci_address": 18,
    "ext_intel_gpu_eu_count": 19,
    "ext_intel_gpu_eu_simd_width": 20,
    "ext_intel_gpu_slices": 21,
    "ext_intel_gpu_subslices_per_slice": 22,
    "ext_intel_gpu_eu_count_per_subslice": 23,
    "ext_intel_max_mem_bandwidth": 24,
    "usm_atomic_host_allocations": 25,
    "usm_atomic_shared_allocations": 26,
    "atomic64": 27,
    "ext_intel_device_info_uuid": 28,
    "ext_oneapi_srgb": 29,
    "ext_oneapi_native_assert": 30,
    "host_debuggable": 31,
    "ext_intel_gpu_hw_threads_per_eu": 32,
    "ext_oneapi_cuda_async_barrier": 33,
    "ext_intel_free_memory": 34,
    "ext_intel_device_id": 35,
    "ext_intel_memory_clock_rate": 36,
    "ext_intel_memory_bus_width": 37,
    "emulated": 38,
    "ext_intel_legacy_image": 39,
    "ext_oneapi_bindless_images": 40,
    "ext_oneapi_bindless_images_shared_usm": 41,
    "ext_oneapi_bindless_images_1d_usm": 42,
    "ext_oneapi_bindless_images_2d_usm": 43,
    "ext_oneapi_external_memory_import": 44,
    "ext_oneapi_external_semaphore_import": 45,
    "ext_oneapi_mipmap": 46,
    "ext_oneapi_mipmap_anisotropy": 47,
    "ext_oneapi_mipmap_level_reference": 48,
    "ext_intel_esimd": 49,
    "ext_oneapi_fragment": 50,
    "ext_oneapi_chunk": 51,
    "ext_oneapi_tangle": 52,
    "ext_intel_matrix": 53,
    "ext_oneapi_is_composite": 54,
    "ext_oneapi_is_component": 55,
    "ext_oneapi_graph": 56,
    "ext_oneapi_limited_graph": 57,
    "ext_oneapi_private_alloca": 58,
    "ext_oneapi_cubemap": 59,
    "ext_oneapi_cubemap_seamless_filtering": 60,
    "ext_oneapi_bindless_sampled_image_fetch_1d_usm": 61,
    "ext_oneapi_bindless_sampled_image_fetch_1d": 62,
    "ext_oneapi_bindless_sampled_image_fetch_2d_usm": 63,
    "ext_oneapi_bindless_sampled_image_fetch_2d": 64,
    "ext_oneapi_bindless_sampled_image_fetch_3d": 65,
    "ext_oneapi_queue_profiling_tag": 66,
    "ext_oneapi_virtual_mem": 67,
    "ext_oneapi_cuda_cluster_group": 68,
    "ext_oneapi_image_array": 69,
    "ext_oneapi_unique_addressing_per_dim": 70,
    "ext_oneapi_bindless_images_sample_1d_usm": 71,
    "ext_oneapi_bindless_images_sample_2d_usm": 72,
    "ext_oneapi_atomic16": 73,
    "ext_oneapi_virtual_functions": 74,
    "ext_intel_spill_memory_size": 75,
    "ext_oneapi_bindless_images_gather": 76,
    "ext_intel_current_clock_throttle_reasons": 77,
    "ext_intel_fan_speed": 78,
    "ext_intel_power_limits": 79,
    "ext_oneapi_async_memory_alloc": 80,
    "ext_intel_device_info_luid": 81,
    "ext_intel_device_info_node_mask": 82,
    "ext_oneapi_exportable_device_mem": 83,
    "ext_oneapi_clock_sub_group": 84,
    "ext_oneapi_clock_work_group": 85,
    "ext_oneapi_clock_device": 86,
    "ext_oneapi_is_integrated_gpu": 87,
    "ext_oneapi_ipc_memory": 88,
    "ext_oneapi_device_wait": 89,
    "ext_intel_xe_stack_count": 90,
    "ext_intel_xe_regions_per_stack": 91,
    "ext_intel_xe_clusters_per_region": 92,
    "ext_intel_xe_cores_per_cluster": 93,
    "ext_intel_eus_per_xe_core": 94,
    "ext_intel_max_lanes_per_hw_thread": 95,
    "ext_oneapi_ipc_physical_memory": 96,
    "ext_oneapi_register_host_memory": 97,
    "ext_oneapi_per_event_profiling": 98,
    "ext_oneapi_ipc_event": 99,
}

DEPRECATED = {
    "host": 0,
    "int64_base_atomics": 7,
    "int64_extended_atomics": 8,
    "usm_restricted_shared_allocations": 16,
    "usm_system_allocator": 17,
}


def test_every_aspect_has_its_number(check: Callable[..., None], side: tuple[str, ...]) -> None:
    lines = ["#include <sycl/aspects.hpp>"]
    lines += [f"static_assert(int(sycl::aspect::{name}) == {n});" for name, n in ASPECTS.items()]
    check("\n".join(lines), "-std=c++17", *side)


def test_deprecated_aspects_keep_their_numbers(check: Callable[..., None]) -> None:
    lines = ["#include <sycl/aspects.hpp>"]
    lines += [f"static_assert(int(sycl::aspect::{name}) == {n});" for name, n in DEPRECATED.items()]
    check("\n".join(lines), "-std=c++17", "-Wno-deprecated-declarations")


def test_there_are_no_other_aspects(include: Path) -> None:
    text = (include / "sycl" / "aspects.hpp").read_text()
    found = re.findall(r"^  (\w+)( DOVETAIL_DEPRECATED\(.*\))?\s*= (\d+),$", text, re.MULTILINE)
    assert {name: int(n) for name, mark, n in found if not mark} == ASPECTS
    assert {name: int(n) for name, mark, n in found if mark} == DEPRECATED

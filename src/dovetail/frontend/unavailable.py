"""Names and headers of SYCL and its extensions that Dovetail does not have, and what to do instead.

For an unknown name clang guesses a similar one, such as `strcat` for `sycl::sampled_image`. So its
message is replaced by one that says what the name belongs to. The tables contain no name that the
headers have; a test compiles them all.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple


class Feature(NamedTuple):
    """Something that is not implemented."""

    title: str
    """In a sentence: `TITLE are not implemented`."""
    advice: str
    names: dict[str, str]
    """Names by their namespace or class."""
    headers: tuple[str, ...] = ()
    """Beginnings of the paths of its headers."""


_SYCL = "sycl"
_EXT = "sycl::ext::oneapi"
_EXPERIMENTAL = "sycl::ext::oneapi::experimental"
_INTEL = "sycl::ext::intel"
_INTEL_EXPERIMENTAL = "sycl::ext::intel::experimental"

FEATURES = (
    Feature(
        "images",
        "use a buffer or unified shared memory, and compute the place of a pixel in the kernel",
        {
            _SYCL: """
                addressing_mode coordinate_normalization_mode filtering_mode
                host_sampled_image_accessor host_unsampled_image_accessor image image_allocator
                image_channel_order image_channel_type image_format image_sampler image_target
                sampled_image sampled_image_accessor sampler unsampled_image
                unsampled_image_accessor
            """,
            "sycl::property": "image",
        },
        ("sycl/image.hpp", "sycl/sampler.hpp", "sycl/accessor_image.hpp"),
    ),
    Feature(
        "bindless images",
        "use memory of sycl::malloc_device, and compute the place of a pixel in the kernel",
        {
            _EXPERIMENTAL: """
                alloc_image_mem bindless_image_sampler create_image cubemap_filtering_mode
                destroy_image_handle external_mem external_mem_descriptor external_mem_handle_type
                external_semaphore external_semaphore_descriptor external_semaphore_handle_type
                fetch_cubemap fetch_image fetch_image_array free_image_mem gather_image
                get_image_memory_support image_descriptor image_mem image_mem_handle
                image_memory_handle_type image_type import_external_memory
                import_external_semaphore map_external_image_memory map_external_linear_memory
                pitched_alloc_device release_external_memory release_external_semaphore
                sample_cubemap sample_image sample_image_array sample_mipmap sampled_image_handle
                unsampled_image_handle write_cubemap write_image write_image_array
            """,
            "sycl::queue": """
                ext_oneapi_copy ext_oneapi_signal_external_semaphore
                ext_oneapi_wait_external_semaphore
            """,
            "sycl::handler": """
                ext_oneapi_copy ext_oneapi_signal_external_semaphore
                ext_oneapi_wait_external_semaphore
            """,
        },
        ("sycl/ext/oneapi/bindless_images",),
    ),
    Feature(
        "command graphs",
        "submit the commands to a queue each time; one with the property in_order needs no events",
        {
            _EXPERIMENTAL: """
                command_graph dynamic_command_group dynamic_local_accessor dynamic_parameter
                dynamic_work_group_memory execute_graph graph_state node node_type queue_state
            """,
            "sycl::queue": "ext_oneapi_get_graph ext_oneapi_get_state ext_oneapi_graph",
            "sycl::handler": "ext_oneapi_graph",
        },
        ("sycl/ext/oneapi/experimental/graph",),
    ),
    Feature(
        "joint matrices",
        "multiply tiles in local memory (examples/programs/matrix_product.cpp)",
        {_EXPERIMENTAL: "matrix", _INTEL_EXPERIMENTAL: "matrix"},
        ("sycl/ext/oneapi/matrix", "sycl/ext/intel/experimental/matrix"),
    ),
    Feature(
        "explicit SIMD kernels",
        "write the kernel for work-items and use the functions of sycl::sub_group",
        {_INTEL: "esimd", _INTEL_EXPERIMENTAL: "esimd", _EXPERIMENTAL: "simd simd_mask"},
        (
            "sycl/ext/intel/esimd",
            "sycl/ext/intel/experimental/esimd",
            "sycl/ext/oneapi/experimental/invoke_simd",
        ),
    ),
    Feature(
        "pipes and other features of FPGAs",
        "pass data between kernels in memory; attributes for FPGAs are accepted",
        {
            _INTEL: """
                fpga_accelerator_selector_v fpga_datapath fpga_emulator_selector
                fpga_emulator_selector_v fpga_mem fpga_reg fpga_selector fpga_selector_v
                fpga_simulator_selector_v kernel_readable_io_pipe kernel_writeable_io_pipe lsu pipe
            """,
            _INTEL_EXPERIMENTAL: """
                fpga_datapath fpga_mem kernel_readable_io_pipe kernel_writeable_io_pipe
                latency_control pipe task_sequence
            """,
        },
        (
            "sycl/ext/intel/fpga",
            "sycl/ext/intel/experimental/fpga",
            "sycl/ext/intel/pipe",
            "sycl/ext/intel/experimental/pipe",
            "sycl/ext/intel/experimental/task_sequence",
        ),
    ),
    Feature(
        "kernels compiled from text at run time",
        "compile them with the program, as templates or with specialization constants",
        {
            _EXPERIMENTAL: """
                build_options create_kernel_bundle_from_source fast_link include_files
                registered_names save_log source_language
            """
        },
    ),
    Feature(
        "memory pools and reserved address ranges",
        "allocate with sycl::malloc_device once, and reuse the memory",
        {
            _EXPERIMENTAL: """
                async_free async_malloc async_malloc_from_pool address_access_mode free_virtual_mem
                get_mem_granularity granularity_mode memory_pool physical_mem reserve_virtual_mem
            """
        },
        ("sycl/ext/oneapi/experimental/async_alloc", "sycl/ext/oneapi/virtual_mem"),
    ),
    Feature(
        "partitions of groups and root groups",
        "use the whole sub-group, with selected work-items taking part by their values",
        {
            _EXPERIMENTAL: """
                binary_partition chunk chunked_partition entangle fragment
                root_group tangle use_root_sync
            """
        },
        (
            "sycl/ext/oneapi/experimental/root_group",
            "sycl/ext/oneapi/experimental/chunk",
            "sycl/ext/oneapi/experimental/fragment",
            "sycl/ext/oneapi/experimental/tangle",
        ),
    ),
    Feature(
        "sorting functions of groups",
        "sort in the kernel's own code, for example by a bitonic network",
        {
            _EXPERIMENTAL: """
                default_sorters group_with_scratchpad joint_sort radix_sorters
                sort_key_value_over_group sort_over_group
            """
        },
        ("sycl/ext/oneapi/experimental/group_sort", "sycl/ext/oneapi/experimental/group_helpers"),
    ),
    Feature(
        "objects of other back-ends' interfaces",
        "use SYCL's own classes",
        {
            _EXT: "cuda level_zero",
            _EXPERIMENTAL: "raw_kernel_arg",
        },
        ("sycl/ext/oneapi/backend", "sycl/ext/oneapi/experimental/backend"),
    ),
    Feature(
        "memory shared between processes",
        "copy the data to the host, and share that",
        {_EXPERIMENTAL: "ipc ipc_memory"},
        ("sycl/ext/oneapi/experimental/ipc_memory",),
    ),
    Feature(
        "the extensions in this namespace",
        "docs/headers.md lists what is",
        {_INTEL: "experimental", "sycl::ext": "codeplay", _SYCL: "khr"},
    ),
    Feature(
        "classes of SYCL 1.2.1 that SYCL 2020 has removed",
        "use sycl::kernel_bundle instead of program, and std::vector, std::string and others",
        {_SYCL: "function_class mutex_class program string_class unique_ptr_class vector_class"},
        ("sycl/program.hpp",),
    ),
)

# Libraries whose headers come with Intel's compiler, and the projects that they are from.
_LIBRARIES = {
    "oneapi/dpl/": "oneDPL",
    "oneapi/mkl": "oneMKL",
    "oneapi/math": "oneMath",
    "oneapi/tbb": "oneTBB",
    "oneapi/ccl": "oneCCL",
    "oneapi/dnnl": "oneDNN",
    "dpct/": "SYCLomatic",
}

_OURS = re.compile(r"(?:CL/)?(sycl/.*)")

_GUESS = r"(?:; did you mean (?:simply )?'[^']*'\?)?"
_MEMBER = re.compile(
    r"no (?:member|type|template) named '(?P<name>\w+)' in (?:namespace )?'(?P<scope>[\w:]+)'"
    + _GUESS
)
_UNQUALIFIED = re.compile(
    r"(?:use of undeclared identifier|unknown (?:type|class) name|no (?:type|template) named)"
    r" '(?P<name>\w+)'" + _GUESS
)
_HEADER = re.compile(r"'(?P<path>[^']+)' file not found")
_EXCERPT = re.compile(r" *\d* \| ")


def explained(lines: list[str], text: str) -> list[str]:
    """Return the lines of an error with a better text and without clang's guess, if it has one.

    The first line is the error's head, which ends with `text`.
    """
    better = explanation(text)
    if not better:
        return lines
    rest = lines[1:]
    if "; did you mean" in text:
        # The guess follows the marks; notes say where it is declared.
        rest = [line for line in rest[:2] if _EXCERPT.match(line)]
    return [lines[0].removesuffix(text) + better, *rest]


def explanation(message: str) -> str:
    """Return a better text for an error of clang; empty if the error is about something else."""
    if found := _MEMBER.fullmatch(message):
        scope, name = found["scope"].replace("::_V1", ""), found["name"]
        feature = _BY_NAME.get((scope, name))
        return _not_available(f"'{scope}::{name}'", feature) if feature else ""
    if found := _UNQUALIFIED.fullmatch(message):
        return _about_unqualified(found["name"])
    found = _HEADER.fullmatch(message)
    return _about_header(found["path"]) if found else ""


def _not_available(what: str, feature: Feature) -> str:
    return f"{what} is not available: {feature.title} are not implemented; {feature.advice}"


def _about_unqualified(name: str) -> str:
    # Other names are more likely to be the user's own.
    is_telling = "_" in name or name == "sampler"
    scope = next((scope for scope, each in _BY_NAME if each == name and is_telling), "")
    if not scope:
        return ""
    feature = _BY_NAME[scope, name]
    return (
        f"unknown name '{name}'; if it is '{scope}::{name}', {feature.title} are not implemented;"
        f" {feature.advice}"
    )


def _about_header(path: str) -> str:
    library = next((name for start, name in _LIBRARIES.items() if path.startswith(start)), "")
    if library:
        return f"'{path}' file not found; it is part of {library}, whose folder -I has to name"
    ours = _OURS.fullmatch(path)
    if ours is None:
        return ""
    feature = next((each for each in FEATURES if ours[1].startswith(each.headers)), None)
    if feature:
        return _not_available(f"header '{path}'", feature)
    return f"'{path}' file not found; include <sycl/sycl.hpp>, which has all that is implemented"


def _all_names() -> Iterator[tuple[tuple[str, str], Feature]]:
    for feature in FEATURES:
        for scope, names in feature.names.items():
            for name in names.split():
                yield (scope, name), feature


_BY_NAME = dict(_all_names())


def unavailable_names() -> list[tuple[str, str]]:
    """Return all names of the table, each after its namespace or class."""
    return list(_BY_NAME)

// The table of C functions through which host code reaches the runtime.
//
// The runtime, which is in Python, fills in the table and passes its address to the program.
// Handles are integers that the runtime assigns; 0 is invalid. A function returns 0, or the number
// of an errc; then error_text returns the message, for the calling thread. docs/runtime.md lists
// special rules. The other side is src/dovetail/runtime/host/table.py; the two must agree, and a
// test checks that.
#pragma once

#ifndef __SYCL_DEVICE_ONLY__

#include <cstddef>
#include <cstdint>

namespace sycl {
inline namespace _V1 {
namespace detail {
namespace host {

using handle = std::uint64_t;

// How a command group accesses a buffer; `access::mode` values are converted to these bits.
inline constexpr std::uint32_t access_read = 1;
inline constexpr std::uint32_t access_write = 2;
inline constexpr std::uint32_t access_no_init = 4; // earlier content is not needed

// What a buffer does with the memory that has its initial content; values of detail::buffer_source.
inline constexpr std::uint32_t buffer_borrowed = 0; // reads it until it is released
inline constexpr std::uint32_t buffer_copied = 1;   // copies it at once
inline constexpr std::uint32_t buffer_in_place = 2; // has its content there

inline constexpr std::uint32_t queue_in_order = 1;
inline constexpr std::uint32_t queue_profiling = 2;

// usm::alloc's numbers.
inline constexpr std::uint32_t usm_host = 0;
inline constexpr std::uint32_t usm_device = 1;
inline constexpr std::uint32_t usm_shared = 2;
inline constexpr std::uint32_t usm_unknown = 3;

struct buffer_access {
  handle buffer;
  std::uint32_t mode; // access_* bits
  std::uint32_t reserved;
};

// The dependencies of a command group, besides the order of its queue.
struct requirements {
  const buffer_access *accesses;
  std::size_t access_count;
  const handle *events;
  std::size_t event_count;
};

// A host task: `task` is the pointer passed to submit_host_task, and addresses[i] is the address of
// the i-th buffer that it requires. Returns nonzero if it threw; its queue then has the exception.
using host_task_function = std::int32_t(void *task, void *const *addresses);
// Destroys a completed host task.
using host_task_end = void(void *task);

// The result of queue_next_failure for an exception of a host task.
inline constexpr std::int32_t host_task_failure = -1;

// The members that are equal for launches of a kernel are first: the runtime compares them as
// bytes, so there is no padding, and unused members are zero.
struct kernel_launch {
  const char *kernel;       // the device's symbol
  std::uint32_t dimensions; // 0 for a single task
  std::uint32_t has_local;  // whether `local` counts, or the runtime chooses
  std::size_t global[3];    // all in SYCL's order: the last dimension in use is the innermost
  std::size_t local[3];
  std::size_t offset[3];
  std::size_t object_size;
  std::uint64_t constants; // from constant_values, or 0
  const void *object;      // the kernel object's bytes
};

// The value of a specialization constant.
struct constant_value {
  const char *identifier; // of the specialization_id
  const void *value;
  std::size_t size;
};

// The names of a kernel. Both strings are valid, and their addresses constant, while the program
// runs.
struct kernel_name {
  const char *symbol; // the device's
  const char *name;   // its name in messages
};

// A copy between memory and a variable on the queue's device.
struct global_copy {
  const char *identifier; // of the variable
  std::size_t element;    // which one, if it is an array of device globals
  void *memory;
  std::size_t size;
  std::size_t offset;   // in the element, in bytes
  std::uint32_t writes; // whether the variable is written; else it is read
  std::uint32_t reserved;
};

// An element of the list of device programs in the process.
//
// A library adds its program when it is loaded, and sets `unloaded` when it is unloaded; the
// runtime reads the list when it looks up kernels. Libraries call no function of the runtime here:
// a thread that loads a library holds the loader's lock, and a thread that waits for it may hold
// Python's. Programs add theirs in the same way.
struct library_program {
  library_program *next; // older
  const void *origin;    // something in the library's memory
  void *data;            // the program; unless it is `origin`, a copy that the runtime frees
  std::size_t size;
  std::uint64_t unloaded; // whether the library is gone
};

struct library_list {
  library_program *newest;
  std::uint64_t changes; // incremented after each change to the list
};

// The static objects of a program or library, which are destroyed before the drivers clean up.
struct static_objects {
  static_objects *next; // older
  void *owner;          // as for __cxa_atexit; null once the library is unloaded
};

struct api_table;

// What all code in this process shares, whichever of it comes first: a program, a library or the
// runtime. The environment variable DOVETAIL_HOST_PROCESS has its address.
struct process_record {
  std::uint32_t version;     // api_version
  std::uint32_t is_starting; // whether a thread is starting Python
  std::uint32_t owns_python; // whether Python was started only for the runtime
  std::uint32_t reserved;
  const api_table *table; // null until the runtime has started
  library_list libraries;
  static_objects *objects; // newest first
};

// The queries of device_info. Strings are not null-terminated; lists are contiguous elements.
enum class device_query : std::uint32_t {
  name = 0,                 // text
  vendor = 1,               // text
  driver_version = 2,       // text
  version = 3,              // text
  platform_name = 4,        // text
  platform_vendor = 5,      // text
  platform_version = 6,     // text
  device_type = 7,          // uint32: 1 cpu, 2 gpu, 3 accelerator
  aspects = 8,              // uint32 each, ascending
  max_compute_units = 9,    // uint32
  max_work_group_size = 10, // size_t
  max_work_item_sizes = 11, // size_t three times, in SYCL's order
  local_mem_size = 12,      // uint64
  global_mem_size = 13,     // uint64
  max_mem_alloc_size = 14,  // uint64
  sub_group_sizes = 15,     // size_t each, ascending
  extensions = 16,          // text, separated by blanks
  max_clock_frequency = 17, // uint32, MHz
  vendor_id = 18,           // uint32
  address_bits = 19,        // uint32
  max_num_sub_groups = 20,  // uint32
  backend = 21,             // uint32: backend's number
  architecture = 22,        // int32: architecture's number

  // Details, which the driver reports, or not at all; then the result is empty. Without a comment:
  // uint64, in OpenCL's numbers.
  preferred_vector_width_char = 23,
  preferred_vector_width_short = 24,
  preferred_vector_width_int = 25,
  preferred_vector_width_long = 26,
  preferred_vector_width_float = 27,
  preferred_vector_width_double = 28,
  preferred_vector_width_half = 29,
  native_vector_width_char = 30,
  native_vector_width_short = 31,
  native_vector_width_int = 32,
  native_vector_width_long = 33,
  native_vector_width_float = 34,
  native_vector_width_double = 35,
  native_vector_width_half = 36,
  max_read_image_args = 37,
  max_write_image_args = 38,
  image2d_max_width = 39,
  image2d_max_height = 40,
  image3d_max_width = 41,
  image3d_max_height = 42,
  image3d_max_depth = 43,
  image_max_buffer_size = 44,
  image_max_array_size = 45,
  max_samplers = 46,
  max_parameter_size = 47,
  mem_base_addr_align = 48,
  half_fp_config = 49,
  single_fp_config = 50,
  double_fp_config = 51,
  global_mem_cache_type = 52,
  global_mem_cache_line_size = 53,
  global_mem_cache_size = 54,
  max_constant_buffer_size = 55,
  max_constant_args = 56,
  local_mem_type = 57,
  error_correction_support = 58,
  host_unified_memory = 59,
  atomic_memory_capabilities = 60,
  atomic_fence_capabilities = 61,
  profiling_timer_resolution = 62,
  is_endian_little = 63,
  is_available = 64,
  is_compiler_available = 65,
  is_linker_available = 66,
  execution_capabilities = 67,
  preferred_interop_user_sync = 68,
  printf_buffer_size = 69,
  sub_group_independent_forward_progress = 70,
  device_id = 71,
  gpu_eu_count = 72,
  gpu_slices = 73,
  gpu_subslices_per_slice = 74,
  gpu_eu_count_per_subslice = 75,
  gpu_hw_threads_per_eu = 76,
  profile = 77,          // text
  opencl_c_version = 78, // text
  built_in_kernels = 79, // text
  uuid = 80,             // 16 bytes
};

// The queries of kernel_detail.
enum class kernel_query : std::uint32_t {
  work_group_size = 0, // the largest that the device can run
  preferred_work_group_size_multiple = 1,
  private_mem_size = 2,
  compile_sub_group_size = 3, // the required size, or 0
  num_args = 4,
};

struct api_table {
  std::uint32_t size; // of this structure
  std::uint32_t version;

  // The message of the calling thread's last failure; returns its length, copies what fits.
  std::size_t (*error_text)(char *text, std::size_t capacity);

  // Devices are numbered from 0; 0 is the default.
  int (*device_count)(std::uint32_t *count);
  // Sets *size to the size of the result in bytes, and copies it if `capacity` is sufficient.
  int (*device_info)(std::uint32_t device, std::uint32_t query, void *value, std::size_t capacity,
                     std::size_t *size);

  // Sets *count to the number of kernels, and returns the names of the first `capacity` ones.
  int (*kernel_list)(kernel_name *kernels, std::size_t capacity, std::size_t *count);
  int (*kernel_find)(const char *symbol, kernel_name *kernel);
  // Sets an errc for each kernel: the error that a launch on the device would have before code is
  // built, or 0; error_text returns the message of the first one that is not 0.
  int (*kernel_fit)(std::uint32_t device, const char *const *symbols, std::size_t count,
                    std::int32_t *codes);
  // Builds the code of each kernel in advance, with its values of specialization constants.
  int (*kernel_build)(std::uint32_t device, const char *const *symbols,
                      const std::uint64_t *constants, std::size_t count);
  // The three sizes that a kernel requires, 1 for missing dimensions; all 0 if it requires none.
  int (*kernel_work_group)(std::uint32_t device, const char *symbol, std::size_t *sizes);
  int (*kernel_detail)(std::uint32_t device, const char *symbol, std::uint32_t query,
                       std::uint64_t *value);

  int (*queue_create)(std::uint32_t device, std::uint32_t flags, handle *queue);
  int (*queue_release)(handle queue); // does not end its work
  int (*queue_wait)(handle queue);    // failures of the work are kept for queue_next_failure
  // Removes the oldest unreported failure of the queue's work; *code is its errc,
  // host_task_failure, or 0 if there is none.
  int (*queue_next_failure)(handle queue, std::int32_t *code);

  // Starts a kernel without dependencies besides its queue; returns its event, or a negative errc.
  // Releases the event `unwanted`, as event_release does, unless it is 0.
  std::int64_t (*start_kernel)(handle queue, const kernel_launch *launch, const void *object,
                               handle unwanted);
  // Each submits work that waits for its requirements, and returns its event unless `event` is
  // null.
  int (*submit_kernel)(handle queue, const kernel_launch *launch, const requirements *needs,
                       handle *event);
  int (*submit_copy)(handle queue, void *to, const void *from, std::size_t size,
                     const requirements *needs, handle *event);
  int (*submit_fill)(handle queue, void *to, const void *pattern, std::size_t pattern_size,
                     std::size_t count, const requirements *needs, handle *event);
  // A command without work: its event is complete when its requirements are or, without any, all
  // earlier work of the device. For work of the host, use submit_barrier.
  int (*submit_marker)(handle queue, const requirements *needs, handle *event);

  int (*event_wait)(handle event); // a failure is kept for queue_next_failure
  int (*event_is_done)(handle event, std::uint32_t *done);
  // Nanoseconds: `what` is 0 submit, 1 start, 2 end.
  int (*event_time)(handle event, std::uint32_t what, std::uint64_t *time);
  int (*event_release)(handle event);

  int (*usm_allocate)(std::uint32_t device, std::uint32_t kind, std::size_t size,
                      std::size_t alignment, void **address); // null if there is no memory
  int (*usm_free)(void *address);
  int (*usm_info)(const void *address, std::uint32_t *kind, std::uint32_t *device);

  // The initial content of a buffer is that of `initial`, or undefined if that is null; `source` is
  // one of buffer_*.
  int (*buffer_create)(std::size_t size, const void *initial, std::uint32_t source, handle *buffer);
  // Waits for work that writes the buffer and copies its content out.
  int (*buffer_read)(handle buffer, void *to);
  // Does not wait, unless `wait` is not 0.
  int (*buffer_release)(handle buffer, std::uint32_t wait);
  // Waits for conflicting work and returns the address of the content, valid until the matching
  // end. Conflicting work that is submitted in between waits for that.
  int (*buffer_host_begin)(handle buffer, std::uint32_t mode, void **address);
  int (*buffer_host_end)(handle buffer, std::uint32_t mode);

  // Calls `run` in a thread of the runtime once its requirements are complete, then `end`; neither
  // if this fails.
  int (*submit_host_task)(handle queue, host_task_function *run, host_task_end *end, void *task,
                          const requirements *needs, handle *event);

  // Like submit_marker, but for all earlier work of the queue, or the requirements; later work
  // waits for it.
  int (*submit_barrier)(handle queue, const requirements *needs, handle *event);

  // The user's memory to which the buffer's content is written back, for update_host; null if there
  // is none.
  int (*buffer_set_home)(handle buffer, void *home);
  int (*buffer_home)(handle buffer, void **home);

  // Also submits work, as the others above do.
  int (*submit_global_copy)(handle queue, const global_copy *copy, const requirements *needs,
                            handle *event);

  int (*queue_is_idle)(handle queue, std::uint32_t *idle); // whether all of its work is done

  // Sets *number to a number of these values, which is not 0. Equal values have the same number;
  // it is valid while the program runs.
  int (*constant_values)(const constant_value *values, std::size_t count, std::uint64_t *number);
  // Sets *uses to whether a kernel uses a specialization constant: any, if `identifier` is null.
  int (*kernel_constant)(const char *symbol, const char *identifier, std::uint32_t *uses);

  library_list *libraries;
};

inline constexpr std::uint32_t api_version = 8;

} // namespace host
} // namespace detail
} // namespace _V1
} // namespace sycl

#endif

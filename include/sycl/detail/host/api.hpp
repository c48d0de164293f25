// The table of C functions through which host code reaches the runtime.
//
// The runtime, which is Python, fills in the table and tells the program where it is. Handles are
// numbers of the runtime's; 0 is none. A function returns 0 or the number of an errc, and then
// error_text has the message, for the calling thread. docs/runtime.md lists special rules. The
// other side is src/dovetail/runtime/host/table.py; the two must agree, and a test checks that.
#pragma once

#ifndef __SYCL_DEVICE_ONLY__

#include <cstddef>
#include <cstdint>

namespace sycl {
inline namespace _V1 {
namespace detail {
namespace host {

using handle = std::uint64_t;

// How a command group uses a buffer; the bits of `access::mode` values are read off these.
inline constexpr std::uint32_t access_read = 1;
inline constexpr std::uint32_t access_write = 2;
inline constexpr std::uint32_t access_no_init = 4; // earlier content is not needed

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

// What a command group waits for, besides the order of its queue.
struct requirements {
  const buffer_access *accesses;
  std::size_t access_count;
  const handle *events;
  std::size_t event_count;
};

// A host task: `task` is what the headers gave with it, and addresses[i] where the content of the
// i-th buffer is among those it requires. Not 0 if it threw, and left the exception with its queue.
using host_task_function = std::int32_t(void *task, void *const *addresses);
// Lets go of a host task that is over, and that nobody waits for any more.
using host_task_end = void(void *task);

// What queue_next_failure gives for an exception of a host task.
inline constexpr std::int32_t host_task_failure = -1;

// What launches of a kernel have in common comes first: the runtime knows it again by its bytes, so
// there is no padding, and what does not count is zero.
struct kernel_launch {
  const char *kernel;       // the device's symbol
  std::uint32_t dimensions; // 0 for a single task
  std::uint32_t has_local;  // whether `local` counts, or the runtime chooses
  std::size_t global[3];    // all in SYCL's order: the last dimension in use is the innermost
  std::size_t local[3];
  std::size_t offset[3];
  std::size_t object_size;
  const void *object; // the kernel object's bytes
};

// The names of a kernel. Both texts stay where they are as long as the program runs, and a kernel
// has the same ones whenever it is asked for.
struct kernel_name {
  const char *symbol; // the device's
  const char *name;   // what messages call it
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

// The packaged program of a library, in the list of them.
//
// A library puts its program on the list as it is loaded, and says when it goes; the runtime looks
// there when it is asked for kernels. No function is called meanwhile: whoever loads a library
// holds the loader's lock, and somebody who waits for that may be holding Python's.
struct library_program {
  library_program *next; // older
  const void *origin;    // something in the library's memory
  void *data;            // the program, copied by malloc; the runtime frees it
  std::size_t size;
  std::uint64_t unloaded; // whether the library is gone
};

struct library_list {
  library_program *newest;
  std::uint64_t changes; // counted up with each that comes or goes, after that has been told here
};

// What device_info is asked. Texts come without a closing zero, lists as their elements in a row.
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
};

struct api_table {
  std::uint32_t size; // of this structure
  std::uint32_t version;

  // The message of the calling thread's last failure; returns its length, copies what fits.
  std::size_t (*error_text)(char *text, std::size_t capacity);

  // Devices are numbered from 0; 0 is the default.
  int (*device_count)(std::uint32_t *count);
  // Sets *size to the answer's length in bytes, copies it if `capacity` suffices.
  int (*device_info)(std::uint32_t device, std::uint32_t query, void *value, std::size_t capacity,
                     std::size_t *size);

  // Sets *count to the number of kernels, gives the names of as many as `capacity` has room for.
  int (*kernel_list)(kernel_name *kernels, std::size_t capacity, std::size_t *count);
  int (*kernel_find)(const char *symbol, kernel_name *kernel);
  // Sets an errc for each kernel: what a launch on the device would fail with before any code is
  // built, or 0; error_text has the message of the first that is not 0.
  int (*kernel_fit)(std::uint32_t device, const char *const *symbols, std::size_t count,
                    std::int32_t *codes);
  // Builds the code of each now, so that launches need not.
  int (*kernel_build)(std::uint32_t device, const char *const *symbols, std::size_t count);
  // The three sizes that a kernel requires, 1 before its first dimension; all 0 if it takes any.
  int (*kernel_work_group)(std::uint32_t device, const char *symbol, std::size_t *sizes);

  int (*queue_create)(std::uint32_t device, std::uint32_t flags, handle *queue);
  int (*queue_release)(handle queue); // its work goes on
  int (*queue_wait)(handle queue);    // failures of the work are kept for queue_next_failure
  // Takes the oldest failure of the queue's work that nobody was told of; *code is 0 if none, or
  // host_task_failure.
  int (*queue_next_failure)(handle queue, std::int32_t *code);

  // Starts a kernel that waits for nothing but its queue; gives its event, or an errc below 0. The
  // event that is not wanted any more is released, as by event_release, unless it is 0.
  std::int64_t (*start_kernel)(handle queue, const kernel_launch *launch, const void *object,
                               handle unwanted);
  // Each starts work behind what it requires and gives an event for it, unless `event` is null.
  int (*submit_kernel)(handle queue, const kernel_launch *launch, const requirements *needs,
                       handle *event);
  int (*submit_copy)(handle queue, void *to, const void *from, std::size_t size,
                     const requirements *needs, handle *event);
  int (*submit_fill)(handle queue, void *to, const void *pattern, std::size_t pattern_size,
                     std::size_t count, const requirements *needs, handle *event);
  // No work of its own: its event is done when what it requires is, or, if that is nothing, what
  // the device was given before. For the host's own work, there is submit_barrier.
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

  // A buffer's content starts as a copy of `initial`, or undefined if that is null. With
  // `copy_now` the copy is made at once; else `initial` stays valid until the buffer is released.
  int (*buffer_create)(std::size_t size, const void *initial, std::uint32_t copy_now,
                       handle *buffer);
  // Waits for work that writes the buffer and copies its content out.
  int (*buffer_read)(handle buffer, void *to);
  // Does not wait, unless `wait` is not 0.
  int (*buffer_release)(handle buffer, std::uint32_t wait);
  // Waits for conflicting work and gives the content's address, valid until the matching end. Work
  // that conflicts and is given meanwhile waits for that.
  int (*buffer_host_begin)(handle buffer, std::uint32_t mode, void **address);
  int (*buffer_host_end)(handle buffer, std::uint32_t mode);

  // Calls `run` once, in a thread of the runtime's, behind what it requires, then `end`; neither if
  // this fails.
  int (*submit_host_task)(handle queue, host_task_function *run, host_task_end *end, void *task,
                          const requirements *needs, handle *event);

  // As submit_marker, but for all that the queue was given before, or what it requires; all that it
  // is given later waits.
  int (*submit_barrier)(handle queue, const requirements *needs, handle *event);

  // The user's memory that the buffer's content goes back to in the end, for update_host; null if
  // there is none.
  int (*buffer_set_home)(handle buffer, void *home);
  int (*buffer_home)(handle buffer, void **home);

  // Also submits work, as the others above do.
  int (*submit_global_copy)(handle queue, const global_copy *copy, const requirements *needs,
                            handle *event);

  library_list *libraries;
};

inline constexpr std::uint32_t api_version = 5;

} // namespace host
} // namespace detail
} // namespace _V1
} // namespace sycl

#endif

// info::kernel and info::kernel_device_specific: the queries of a kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <sycl/range.hpp>

namespace sycl {
inline namespace _V1 {

class context;

namespace info {
namespace kernel {

struct context {
  using return_type = sycl::context;
};
// The entry point's symbol.
struct function_name {
  using return_type = std::string;
};
struct num_args {
  using return_type = std::uint32_t;
};
// The attributes of OpenCL C, which SYCL's kernels do not have.
struct attributes {
  using return_type = std::string;
};

} // namespace kernel

namespace kernel_device_specific {

// The most work-items that a work-group can have.
struct work_group_size {
  using return_type = std::size_t;
};
// The sizes that the kernel requires, 1 for unspecified dimensions; all 0 if it requires none.
struct compile_work_group_size {
  using return_type = range<3>;
};
struct preferred_work_group_size_multiple {
  using return_type = std::size_t;
};
// In bytes for each work-item.
struct private_mem_size {
  using return_type = std::size_t;
};
struct max_num_sub_groups {
  using return_type = std::uint32_t;
};
struct max_sub_group_size {
  using return_type = std::uint32_t;
};
// What the kernel requires; 0 if nothing.
struct compile_num_sub_groups {
  using return_type = std::uint32_t;
};
struct compile_sub_group_size {
  using return_type = std::uint32_t;
};
// Only for built-in kernels and custom devices.
struct global_work_size {
  using return_type = range<3>;
};

} // namespace kernel_device_specific
} // namespace info
} // namespace _V1
} // namespace sycl

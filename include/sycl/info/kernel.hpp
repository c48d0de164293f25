// info::kernel and info::kernel_device_specific: the queries of a kernel.
#pragma once

#include <cstddef>
#include <sycl/range.hpp>

namespace sycl {
inline namespace _V1 {

class context;

namespace info {
namespace kernel {

struct context {
  using return_type = sycl::context;
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

} // namespace kernel_device_specific
} // namespace info
} // namespace _V1
} // namespace sycl

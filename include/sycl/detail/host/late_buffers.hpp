// Buffers whose last owner was the function of a host task. Their destructors may wait for work
// that depends on the task, so they run after the task has completed.
#pragma once

#include <memory>
#include <sycl/detail/buffer_state.hpp>
#include <vector>

namespace sycl {
inline namespace _V1 {
namespace detail {
namespace host {

using late_buffers = std::vector<std::unique_ptr<buffer_state>>;

// The list to which this thread adds them; null if they are destroyed at once.
inline thread_local late_buffers *collected_buffers = nullptr;

} // namespace host
} // namespace detail
} // namespace _V1
} // namespace sycl

// Buffers whose last owner was the function of a host task. Their end may wait for work that is
// behind the task, so it has to come after the task's.
#pragma once

#include <memory>
#include <sycl/detail/buffer_state.hpp>
#include <vector>

namespace sycl {
inline namespace _V1 {
namespace detail {
namespace host {

using late_buffers = std::vector<std::unique_ptr<buffer_state>>;

// Where this thread puts them; null if they are to go at once.
inline thread_local late_buffers *collected_buffers = nullptr;

} // namespace host
} // namespace detail
} // namespace _V1
} // namespace sycl

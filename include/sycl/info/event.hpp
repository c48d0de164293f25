// info::event and info::event_profiling: the queries of an event.
#pragma once

#include <cstdint>

namespace sycl {
inline namespace _V1 {
namespace info {

enum class event_command_status : std::int32_t { submitted = 0, running = 1, complete = 2 };

namespace event {

struct command_execution_status {
  using return_type = event_command_status;
};
// The number of objects that share it.
struct reference_count {
  using return_type = std::uint32_t;
};

} // namespace event

namespace event_profiling {

// In nanoseconds of the device's clock.
struct command_submit {
  using return_type = std::uint64_t;
};
struct command_start {
  using return_type = std::uint64_t;
};
struct command_end {
  using return_type = std::uint64_t;
};

} // namespace event_profiling
} // namespace info
} // namespace _V1
} // namespace sycl

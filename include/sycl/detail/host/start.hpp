// The native part that starts the runtime on the first use of SYCL, and what the link records for
// it. Programs without that part can use SYCL only if the runtime has loaded them.
#pragma once

#include <cstddef>
#include <sycl/detail/host/api.hpp>

namespace sycl {
inline namespace _V1 {
namespace detail {
namespace host {

// The Python whose Dovetail linked this program or library.
struct recorded_python {
  const char *interpreter;
  const char *library; // its libpython; empty if it has none
  const char *version; // as in "3.11"
  const char *folders; // of its packages, separated by ':'
};

extern "C" {

[[gnu::weak, gnu::visibility("hidden")]] extern const recorded_python dovetail_recorded_python;

// Sets the record's table, or writes a message.
[[gnu::weak, gnu::visibility("hidden")]] void
dovetail_start_runtime(process_record *record, char *problem, std::size_t size) noexcept;
}

} // namespace host
} // namespace detail
} // namespace _V1
} // namespace sycl

// bundle_state: the state of a kernel bundle's code: input, object or executable.
#pragma once

namespace sycl {
inline namespace _V1 {

enum class bundle_state : char { input = 0, object = 1, executable = 2 };

} // namespace _V1
} // namespace sycl

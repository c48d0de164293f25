// bundle_state: how far the code of a kernel bundle has come.
#pragma once

namespace sycl {
inline namespace _V1 {

enum class bundle_state : char { input = 0, object = 1, executable = 2 };

} // namespace _V1
} // namespace sycl

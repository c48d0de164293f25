// access::placeholder: whether an accessor was made without a command group. Only the type of an
// accessor still has it; every accessor here may be a placeholder.
#pragma once

namespace sycl {
inline namespace _V1 {
namespace access {

enum class placeholder { false_t = 0, true_t = 1 };

} // namespace access
} // namespace _V1
} // namespace sycl

// info::device_type: what kind of hardware a device is.
#pragma once

#include <cstdint>

namespace sycl {
inline namespace _V1 {
namespace info {

enum class device_type : std::uint32_t { cpu, gpu, accelerator, custom, automatic, host, all };

} // namespace info
} // namespace _V1
} // namespace sycl

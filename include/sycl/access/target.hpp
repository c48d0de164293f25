// target: where the memory of an accessor is used.
#pragma once

#include <sycl/detail/deprecated.hpp>

namespace sycl {
inline namespace _V1 {

// The numbers agree with DPC++'s, for the same reason as those of access_mode.
enum class target {
  device = 2014,
  global_buffer DOVETAIL_DEPRECATED("use target::device") = device,
  constant_buffer DOVETAIL_DEPRECATED("use target::device") = 2015,
  local DOVETAIL_DEPRECATED("use local_accessor") = 2016,
  host_buffer DOVETAIL_DEPRECATED("use host_accessor") = 2018,
  host_task = 2021,
};

namespace access {
using target = sycl::target;
}

} // namespace _V1
} // namespace sycl

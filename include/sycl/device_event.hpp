// device_event: the completion of an asynchronous copy by a work-group.
#pragma once

#include <sycl/detail/group_copy.hpp>

namespace sycl {
inline namespace _V1 {

// All work-items of the group have to wait.
class device_event {
public:
  void wait() { detail::wait_as_group(); }
};

} // namespace _V1
} // namespace sycl

// interop_handle: a host task's access to its queue.
#pragma once

#include <sycl/backend.hpp>

namespace sycl {
inline namespace _V1 {

namespace detail {
struct handler_access;

template <backend> inline constexpr bool has_native_objects = false;
} // namespace detail

class interop_handle {
public:
  interop_handle() = delete;

  backend get_backend() const noexcept { return where; }

#define DOVETAIL_NATIVE(NAME)                                                                      \
  template <backend Backend, typename... Arguments> void NAME(const Arguments &...) const {        \
    static_assert(detail::has_native_objects<Backend>,                                             \
                  "interop_handle: the runtime does not hand out the objects of its back-ends");   \
  }

  DOVETAIL_NATIVE(get_native_mem)
  DOVETAIL_NATIVE(get_native_queue)
  DOVETAIL_NATIVE(get_native_device)
  DOVETAIL_NATIVE(get_native_context)
#undef DOVETAIL_NATIVE

private:
  friend struct detail::handler_access;

  explicit interop_handle(backend where) : where(where) {}

  backend where;
};

} // namespace _V1
} // namespace sycl

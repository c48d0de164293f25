// async_handler: receives asynchronous errors.
#pragma once

#include <functional>
#include <sycl/exception_list.hpp>

namespace sycl {
inline namespace _V1 {

using async_handler = std::function<void(exception_list)>;

} // namespace _V1
} // namespace sycl

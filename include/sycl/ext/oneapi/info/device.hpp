// ext::oneapi::info::device: queries of extensions.
#pragma once

#include <cstddef>

namespace sycl {
inline namespace _V1 {
namespace ext::oneapi::info::device {

struct num_compute_units {
  using return_type = std::size_t;
};

} // namespace ext::oneapi::info::device
} // namespace _V1
} // namespace sycl

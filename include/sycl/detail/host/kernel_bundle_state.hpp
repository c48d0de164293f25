// kernel_bundle_state: what the copies of a kernel bundle share.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <sycl/context.hpp>
#include <sycl/detail/host/constant_values.hpp>
#include <sycl/device.hpp>
#include <sycl/kernel_id.hpp>
#include <vector>

namespace sycl {
inline namespace _V1 {
namespace detail {

// A kernel, and the devices of the bundle that can run it.
struct fitting_kernel {
  kernel_id id;
  std::vector<device> devices;
  constant_values constants = {};

  bool fits(const device &where) const {
    return std::find(devices.begin(), devices.end(), where) != devices.end();
  }
};

class kernel_bundle_state {
public:
  // Null if the bundle does not have it.
  const fitting_kernel *find(const char *symbol) const {
    for (const fitting_kernel &kernel : kernels)
      if (std::strcmp(kernel_id_access::symbol(kernel.id), symbol) == 0)
        return &kernel;
    return nullptr;
  }

  bool has(const device &where) const {
    return std::find(devices.begin(), devices.end(), where) != devices.end();
  }
  bool has(const char *symbol, const device &where) const {
    const fitting_kernel *kernel = find(symbol);
    return kernel && kernel->fits(where);
  }

  // Only in bundles of input code, which all copies of the bundle share.
  void set_constant(const char *identifier, const void *value, std::size_t size) const {
    constants.set(identifier, value, size);
    for (fitting_kernel &kernel : kernels)
      kernel.constants.set(identifier, value, size);
  }

  const context where;
  const std::vector<device> devices;
  mutable std::vector<fitting_kernel> kernels;
  mutable constant_values constants = {};
};

} // namespace detail
} // namespace _V1
} // namespace sycl

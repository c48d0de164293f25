// kernel_id: identifies a kernel in queries.
#pragma once

#include <cstddef>
#include <functional>
#include <sycl/detail/kernel_name.hpp>
#include <vector>

namespace sycl {
inline namespace _V1 {

namespace detail {
struct kernel_id_access;
}

class kernel_id {
public:
  kernel_id() = delete;

  // Its name in messages; valid while the program runs.
  const char *get_name() const noexcept { return name; }

  friend bool operator==(const kernel_id &left, const kernel_id &right) {
    return left.symbol == right.symbol;
  }
  friend bool operator!=(const kernel_id &left, const kernel_id &right) { return !(left == right); }

private:
  friend struct detail::kernel_id_access;
  friend struct std::hash<kernel_id>;

  kernel_id(const char *symbol, const char *name) : symbol(symbol), name(name) {}

  // The runtime's own: one address for each kernel.
  const char *symbol;
  const char *name;
};

namespace detail {

struct kernel_id_access {
  static kernel_id make(const char *symbol, const char *name) { return kernel_id(symbol, name); }
  static const char *symbol(const kernel_id &id) { return id.symbol; }
};

kernel_id find_kernel(const char *symbol);

} // namespace detail

// An exception with errc::kernel if the program has no such kernel.
template <typename KernelName> kernel_id get_kernel_id() {
  return detail::find_kernel(detail::kernel_symbol<KernelName>());
}

// All kernels of the program.
std::vector<kernel_id> get_kernel_ids();

} // namespace _V1
} // namespace sycl

template <> struct std::hash<sycl::kernel_id> {
  std::size_t operator()(const sycl::kernel_id &id) const {
    return std::hash<const char *>()(id.symbol);
  }
};

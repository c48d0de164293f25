// kernel: a kernel of a kernel bundle, for queries.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <sycl/backend.hpp>
#include <sycl/bundle_state.hpp>
#include <sycl/context.hpp>
#include <sycl/info/kernel.hpp>
#include <sycl/kernel_id.hpp>
#include <utility>

namespace sycl {
inline namespace _V1 {

class device;
template <bundle_state State> class kernel_bundle;

namespace detail {
class kernel_bundle_state;
struct kernel_access;
} // namespace detail

class kernel {
public:
  kernel() = delete;

  backend get_backend() const noexcept;
  context get_context() const;
  kernel_bundle<bundle_state::executable> get_kernel_bundle() const;

  template <typename Query> typename Query::return_type get_info() const;
  // Queries that depend on the device, which must be able to run the kernel.
  template <typename Query> typename Query::return_type get_info(const device &where) const;

  friend bool operator==(const kernel &left, const kernel &right) {
    return left.bundle == right.bundle && left.id == right.id;
  }
  friend bool operator!=(const kernel &left, const kernel &right) { return !(left == right); }

private:
  friend struct detail::kernel_access;
  friend struct std::hash<kernel>;

  kernel(std::shared_ptr<const detail::kernel_bundle_state> bundle, const kernel_id &id)
      : bundle(std::move(bundle)), id(id) {}

  std::shared_ptr<const detail::kernel_bundle_state> bundle;
  kernel_id id;
};

} // namespace _V1
} // namespace sycl

template <> struct std::hash<sycl::kernel> {
  std::size_t operator()(const sycl::kernel &k) const { return std::hash<sycl::kernel_id>()(k.id); }
};

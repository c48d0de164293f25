// device: something that runs kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <sycl/aspects.hpp>
#include <sycl/backend.hpp>
#include <sycl/detail/deprecated.hpp>
#include <sycl/detail/fail.hpp>
#include <sycl/detail/selector.hpp>
#include <sycl/errc.hpp>
#include <sycl/ext/oneapi/experimental/architecture.hpp>
#include <sycl/info/device.hpp>
#include <sycl/info/device_type.hpp>
#include <type_traits>
#include <vector>

namespace sycl {
inline namespace _V1 {

class platform;

namespace detail {
struct device_access;
}

class device {
public:
  // The device that the default selector chooses.
  device();

  template <typename Selector, detail::if_selector<Selector> = 0>
  explicit device(const Selector &selector) : device(select(callable(selector))) {}
  DOVETAIL_DEPRECATED("use a callable, such as default_selector_v")
  explicit device(const device_selector &selector);

  bool is_cpu() const;
  bool is_gpu() const;
  bool is_accelerator() const;
  bool has(aspect feature) const;
  DOVETAIL_DEPRECATED("use has() with an aspect") bool has_extension(const std::string &name) const;
  // For an emulated device: whether the emulated target has the architecture.
  bool ext_oneapi_architecture_is(ext::oneapi::experimental::architecture wanted) const;

  backend get_backend() const noexcept;
  platform get_platform() const;
  template <typename Query> typename Query::return_type get_info() const;

  // No device of this runtime can be partitioned: all of them throw.
  template <info::partition_property Property, typename... Sizes>
  std::vector<device> create_sub_devices(const Sizes &...) const {
    detail::fail(errc::feature_not_supported, "the device cannot be partitioned: its "
                                              "info::device::partition_properties are empty");
  }

  static std::vector<device> get_devices(info::device_type type = info::device_type::all);

  friend bool operator==(const device &left, const device &right) {
    return left.index == right.index;
  }
  friend bool operator!=(const device &left, const device &right) { return !(left == right); }

private:
  friend struct detail::device_access;

  struct from_index {
    std::uint32_t index;
  };
  explicit device(from_index from) : index(from.index) {}

  // Refers to the selector, whose class may be abstract, or copies it if calls modify it.
  template <typename Selector>
  static std::function<int(const device &)> callable(const Selector &selector) {
    if constexpr (std::is_invocable_r_v<int, const Selector &, const device &>)
      return std::cref(selector);
    else
      return selector;
  }

  // The device with the highest nonnegative score; the first one if several have it.
  static device select(const std::function<int(const device &)> &selector);

  std::uint32_t index; // its number in the runtime
};

namespace detail {

struct device_access {
  static device make(std::uint32_t index) { return device(device::from_index{index}); }
  static std::uint32_t index(const device &d) { return d.index; }
  static device select(const std::function<int(const device &)> &selector) {
    return device::select(selector);
  }
};

} // namespace detail
} // namespace _V1
} // namespace sycl

template <> struct std::hash<sycl::device> {
  std::size_t operator()(const sycl::device &d) const {
    return std::hash<std::uint32_t>()(sycl::detail::device_access::index(d));
  }
};

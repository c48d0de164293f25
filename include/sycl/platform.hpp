// platform: the devices that one driver offers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <sycl/aspects.hpp>
#include <sycl/backend.hpp>
#include <sycl/detail/deprecated.hpp>
#include <sycl/detail/selector.hpp>
#include <sycl/device.hpp>
#include <sycl/info/device_type.hpp>
#include <sycl/info/platform.hpp>
#include <vector>

namespace sycl {
inline namespace _V1 {

class platform {
public:
  // The platform of the default device.
  platform();

  template <typename Selector, detail::if_selector<Selector> = 0>
  explicit platform(const Selector &selector) : platform(device(selector)) {}
  DOVETAIL_DEPRECATED("use a callable, such as default_selector_v")
  explicit platform(const device_selector &selector) : platform(device(selector)) {}

  backend get_backend() const noexcept;
  std::vector<device> get_devices(info::device_type type = info::device_type::all) const;
  template <typename Query> typename Query::return_type get_info() const;

  // Whether all of its devices have the feature.
  bool has(aspect feature) const;
  DOVETAIL_DEPRECATED("use has() with an aspect") bool has_extension(const std::string &name) const;

  static std::vector<platform> get_platforms();

  friend bool operator==(const platform &left, const platform &right) {
    return left.first == right.first;
  }
  friend bool operator!=(const platform &left, const platform &right) { return !(left == right); }

private:
  friend class device;
  friend struct std::hash<platform>;

  explicit platform(const device &member);

  std::uint32_t first; // its first device, which identifies it
};

} // namespace _V1
} // namespace sycl

template <> struct std::hash<sycl::platform> {
  std::size_t operator()(const sycl::platform &p) const {
    return std::hash<std::uint32_t>()(p.first);
  }
};

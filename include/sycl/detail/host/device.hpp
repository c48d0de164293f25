// The members of class device.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <sycl/backend.hpp>
#include <sycl/detail/host/api.hpp>
#include <sycl/detail/host/body.hpp>
#include <sycl/detail/host/device_answer.hpp>
#include <sycl/detail/host/device_info.hpp>
#include <sycl/detail/host/runtime.hpp>
#include <sycl/device.hpp>
#include <sycl/errc.hpp>
#include <sycl/exception.hpp>
#include <sycl/ext/oneapi/experimental/architecture.hpp>
#include <sycl/ext/oneapi/experimental/info/device.hpp>
#include <sycl/info/device.hpp>
#include <sycl/platform.hpp>
#include <sycl/range.hpp>
#include <type_traits>
#include <vector>

namespace sycl {
inline namespace _V1 {
namespace detail {
namespace host {

template <> struct device_answer<info::device::device_type> {
  static info::device_type get(std::uint32_t device) {
    switch (ask<std::uint32_t>(device, device_query::device_type)) {
    case 1:
      return info::device_type::cpu;
    case 2:
      return info::device_type::gpu;
    case 3:
      return info::device_type::accelerator;
    }
    return info::device_type::custom;
  }
};

template <> struct device_answer<info::device::aspects> {
  static std::vector<aspect> get(std::uint32_t device) {
    std::vector<aspect> aspects;
    for (std::uint32_t number : ask_list<std::vector<std::uint32_t>>(device, device_query::aspects))
      aspects.push_back(static_cast<aspect>(number));
    return aspects;
  }
};

template <> struct device_answer<ext::oneapi::experimental::info::device::architecture> {
  static ext::oneapi::experimental::architecture get(std::uint32_t device) {
    std::int32_t number = ask<std::int32_t>(device, device_query::architecture);
    return static_cast<ext::oneapi::experimental::architecture>(number);
  }
};

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
template <> struct device_answer<info::device::extensions> {
  static std::vector<std::string> get(std::uint32_t device) {
    return split_words(ask_text(device, device_query::extensions));
  }
};
#pragma clang diagnostic pop

template <int Dimensions> struct device_answer<info::device::max_work_item_sizes<Dimensions>> {
  static range<Dimensions> get(std::uint32_t device) {
    auto sizes = ask_list<std::vector<std::size_t>>(device, device_query::max_work_item_sizes);
    range<Dimensions> result;
    // A space of fewer dimensions has the innermost ones.
    for (int i = 0; i < Dimensions; ++i)
      result[i] = sizes.at(sizes.size() - Dimensions + i);
    return result;
  }
};

template <> struct device_answer<info::device::max_work_item_dimensions> {
  static std::uint32_t get(std::uint32_t) { return 3; }
};

template <> struct device_answer<info::device::platform> {
  static platform get(std::uint32_t device) { return device_access::make(device).get_platform(); }
};

} // namespace host
} // namespace detail

DOVETAIL_HOST_BODY device::device() : index(0) {
  if (detail::host::device_count() == 0)
    throw exception(make_error_code(errc::runtime), "there is no device");
}

DOVETAIL_HOST_BODY bool device::is_cpu() const {
  return get_info<info::device::device_type>() == info::device_type::cpu;
}
DOVETAIL_HOST_BODY bool device::is_gpu() const {
  return get_info<info::device::device_type>() == info::device_type::gpu;
}
DOVETAIL_HOST_BODY bool device::is_accelerator() const {
  return get_info<info::device::device_type>() == info::device_type::accelerator;
}

DOVETAIL_HOST_BODY bool device::has(aspect feature) const {
  std::vector<aspect> aspects = get_info<info::device::aspects>();
  return std::find(aspects.begin(), aspects.end(), feature) != aspects.end();
}

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
DOVETAIL_HOST_BODY bool device::has_extension(const std::string &name) const {
  std::vector<std::string> names = get_info<info::device::extensions>();
  return std::find(names.begin(), names.end(), name) != names.end();
}
#pragma clang diagnostic pop

DOVETAIL_HOST_BODY bool
device::ext_oneapi_architecture_is(ext::oneapi::experimental::architecture wanted) const {
  return get_info<ext::oneapi::experimental::info::device::architecture>() == wanted;
}

DOVETAIL_HOST_BODY backend device::get_backend() const noexcept {
  using detail::host::device_query;
  return static_cast<backend>(detail::host::ask<std::uint32_t>(index, device_query::backend));
}

DOVETAIL_HOST_BODY platform device::get_platform() const { return platform(*this); }

template <typename Query> typename Query::return_type device::get_info() const {
  return detail::host::device_answer<Query>::get(index);
}

DOVETAIL_HOST_BODY std::vector<device> device::get_devices(info::device_type type) {
  std::uint32_t count = detail::host::device_count();
  std::vector<device> devices;
  for (std::uint32_t i = 0; i < count; ++i) {
    device d(from_index{i});
    bool automatic = type == info::device_type::automatic && i == 0;
    if (type == info::device_type::all || automatic ||
        d.get_info<info::device::device_type>() == type)
      devices.push_back(d);
  }
  return devices;
}

DOVETAIL_HOST_BODY device device::select(const std::function<int(const device &)> &selector) {
  std::uint32_t best = 0;
  int best_score = -1;
  std::string names;
  for (const device &d : get_devices()) {
    int score = selector(d);
    if (score > best_score) {
      best = d.index;
      best_score = score;
    }
    names += (names.empty() ? "'" : ", '") + d.get_info<info::device::name>() + "'";
  }
  if (best_score < 0)
    throw exception(make_error_code(errc::runtime),
                    "no device suits the selector; there are: " + (names.empty() ? "none" : names));
  return device(from_index{best});
}

} // namespace _V1
} // namespace sycl

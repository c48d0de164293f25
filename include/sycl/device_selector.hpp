// The selectors of the standard: callables that return a score for a device, negative to reject it.
#pragma once

#include <functional>
#include <sycl/aspects.hpp>
#include <sycl/detail/deprecated.hpp>
#include <sycl/device.hpp>
#include <type_traits>
#include <vector>

namespace sycl {
inline namespace _V1 {
namespace detail {

struct default_selector {
  int operator()(const device &d) const;
};

struct cpu_selector {
  int operator()(const device &d) const;
};

struct gpu_selector {
  int operator()(const device &d) const;
};

struct accelerator_selector {
  int operator()(const device &d) const;
};

class aspect_selector {
public:
  aspect_selector(std::vector<aspect> required, std::vector<aspect> denied);
  int operator()(const device &d) const;

private:
  std::vector<aspect> required;
  std::vector<aspect> denied;
};

} // namespace detail

inline constexpr detail::default_selector default_selector_v{};
inline constexpr detail::cpu_selector cpu_selector_v{};
inline constexpr detail::gpu_selector gpu_selector_v{};
inline constexpr detail::accelerator_selector accelerator_selector_v{};

// The selectors of SYCL 1.2.1 are classes, from which programs derive their own.
class DOVETAIL_DEPRECATED("use a callable") device_selector {
public:
  virtual ~device_selector() = default;
  virtual int operator()(const device &d) const = 0;
  virtual device select_device() const { return detail::device_access::select(std::cref(*this)); }
};

inline device::device(const device_selector &selector) : device(selector.select_device()) {}

#define DOVETAIL_SELECTOR(NAME)                                                                    \
  class DOVETAIL_DEPRECATED("use " #NAME "_v") NAME : public device_selector {                     \
  public:                                                                                          \
    int operator()(const device &d) const override { return NAME##_v(d); }                         \
  };
DOVETAIL_SELECTOR(default_selector)
DOVETAIL_SELECTOR(cpu_selector)
DOVETAIL_SELECTOR(gpu_selector)
DOVETAIL_SELECTOR(accelerator_selector)
#undef DOVETAIL_SELECTOR

inline auto aspect_selector(const std::vector<aspect> &required,
                            const std::vector<aspect> &denied = {}) {
  return detail::aspect_selector(required, denied);
}

template <
    typename... Aspects,
    std::enable_if_t<sizeof...(Aspects) != 0 && (std::is_same_v<Aspects, aspect> && ...), int> = 0>
auto aspect_selector(Aspects... required) {
  return detail::aspect_selector({required...}, {});
}

template <aspect... Required> auto aspect_selector() {
  return detail::aspect_selector({Required...}, {});
}

} // namespace _V1
} // namespace sycl

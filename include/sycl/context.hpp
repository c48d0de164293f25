// context: devices that share memory.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <sycl/async_handler.hpp>
#include <sycl/backend.hpp>
#include <sycl/info/context.hpp>
#include <sycl/property_list.hpp>
#include <vector>

namespace sycl {
inline namespace _V1 {

class device;
class platform;

namespace detail {
class context_state;
struct context_access;
} // namespace detail

class context {
public:
  explicit context(const property_list &properties = {});
  explicit context(async_handler handler, const property_list &properties = {});
  explicit context(const device &member, const property_list &properties = {});
  explicit context(const device &member, async_handler handler,
                   const property_list &properties = {});
  explicit context(const platform &members, const property_list &properties = {});
  explicit context(const platform &members, async_handler handler,
                   const property_list &properties = {});
  explicit context(const std::vector<device> &members, const property_list &properties = {});
  explicit context(const std::vector<device> &members, async_handler handler,
                   const property_list &properties = {});

  backend get_backend() const noexcept;
  platform get_platform() const;
  std::vector<device> get_devices() const;
  template <typename Query> typename Query::return_type get_info() const;

  template <typename Property> bool has_property() const noexcept {
    return get_properties().has_property<Property>();
  }
  template <typename Property> Property get_property() const {
    return get_properties().get_property<Property>();
  }

  friend bool operator==(const context &left, const context &right) {
    return left.state == right.state;
  }
  friend bool operator!=(const context &left, const context &right) { return !(left == right); }

private:
  friend struct detail::context_access;
  friend struct std::hash<context>;

  const property_list &get_properties() const noexcept;

  std::shared_ptr<detail::context_state> state;
};

} // namespace _V1
} // namespace sycl

template <> struct std::hash<sycl::context> {
  std::size_t operator()(const sycl::context &c) const {
    return std::hash<std::shared_ptr<sycl::detail::context_state>>()(c.state);
  }
};

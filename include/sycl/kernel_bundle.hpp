// kernel_bundle: kernels, and the devices of a context that can run them.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <sycl/backend.hpp>
#include <sycl/bundle_state.hpp>
#include <sycl/context.hpp>
#include <sycl/detail/kernel_name.hpp>
#include <sycl/device.hpp>
#include <sycl/device_image.hpp>
#include <sycl/kernel.hpp>
#include <sycl/kernel_id.hpp>
#include <sycl/specialization_id.hpp>
#include <type_traits>
#include <utility>
#include <vector>

namespace sycl {
inline namespace _V1 {

namespace detail {

using shared_bundle = std::shared_ptr<const kernel_bundle_state>;

// The members of bundles in all states.
class kernel_bundle_base {
public:
  bool empty() const noexcept { return size() == 0; }
  backend get_backend() const noexcept;
  context get_context() const noexcept;
  std::vector<device> get_devices() const noexcept;
  std::vector<kernel_id> get_kernel_ids() const;

  bool has_kernel(const kernel_id &id) const noexcept { return has_kernel(symbol(id)); }
  // Whether it has the kernel, and the device, one of the bundle's, can run it.
  bool has_kernel(const kernel_id &id, const device &where) const noexcept {
    return has_kernel(symbol(id), where);
  }
  template <typename KernelName> bool has_kernel() const noexcept {
    return has_kernel(kernel_symbol<KernelName>());
  }
  template <typename KernelName> bool has_kernel(const device &where) const noexcept {
    return has_kernel(kernel_symbol<KernelName>(), where);
  }

  bool contains_specialization_constants() const noexcept { return uses_constant(nullptr); }
  // Drivers compile code with the values.
  bool native_specialization_constant() const noexcept {
    return contains_specialization_constants();
  }
  template <auto &Id> bool has_specialization_constant() const noexcept {
    const char *identifier = specialization_access::identifier(Id);
    return identifier && uses_constant(identifier);
  }
  template <auto &Id> specialized_type<Id> get_specialization_constant() const {
    specialized_value<specialized_type<Id>> value;
    if (get_constant(specialization_access::identifier(Id), value.bytes, sizeof(value)))
      return value.get();
    return specialization_access::initial(Id);
  }

  friend bool operator==(const kernel_bundle_base &left, const kernel_bundle_base &right) {
    return left.state == right.state;
  }
  friend bool operator!=(const kernel_bundle_base &left, const kernel_bundle_base &right) {
    return !(left == right);
  }

protected:
  explicit kernel_bundle_base(shared_bundle state) : state(std::move(state)) {}

  std::size_t size() const noexcept;
  kernel find_kernel(const kernel_id &id) const;
  void set_constant(const char *identifier, const void *value, std::size_t size);

  shared_bundle state;

private:
  friend struct kernel_bundle_access;

  static const char *symbol(const kernel_id &id) { return kernel_id_access::symbol(id); }
  bool has_kernel(const char *symbol) const noexcept;
  bool has_kernel(const char *symbol, const device &where) const noexcept;
  // Whether a kernel uses the constant, or any if it is null.
  bool uses_constant(const char *identifier) const noexcept;
  bool get_constant(const char *identifier, void *value, std::size_t size) const;
};

struct kernel_bundle_access {
  template <bundle_state State> static kernel_bundle<State> make(shared_bundle state) {
    return kernel_bundle<State>(std::move(state));
  }
  static const shared_bundle &state(const kernel_bundle_base &bundle) { return bundle.state; }

  template <bundle_state State>
  static std::vector<shared_bundle> states(const std::vector<kernel_bundle<State>> &bundles) {
    std::vector<shared_bundle> all;
    for (const kernel_bundle<State> &bundle : bundles)
      all.push_back(bundle.state);
    return all;
  }
};

} // namespace detail

template <bundle_state State> class kernel_bundle : public detail::kernel_bundle_base {
public:
  using device_image_type = device_image<State>;
  using device_image_iterator = detail::device_image_iterator<State>;

  kernel_bundle() = delete;

  template <bundle_state SameState = State,
            std::enable_if_t<SameState == bundle_state::executable, int> = 0>
  kernel get_kernel(const kernel_id &id) const {
    return find_kernel(id);
  }
  template <typename KernelName, bundle_state SameState = State,
            std::enable_if_t<SameState == bundle_state::executable, int> = 0>
  kernel get_kernel() const {
    return find_kernel(get_kernel_id<KernelName>());
  }

  template <auto &Id, bundle_state SameState = State,
            std::enable_if_t<SameState == bundle_state::input, int> = 0>
  void set_specialization_constant(detail::specialized_type<Id> value) {
    set_constant(detail::specialization_access::identifier(Id), __builtin_addressof(value),
                 sizeof(value));
  }

  device_image_iterator begin() const { return {state, 0}; }
  device_image_iterator end() const { return {state, size()}; }

private:
  friend struct detail::kernel_bundle_access;

  explicit kernel_bundle(detail::shared_bundle state) : kernel_bundle_base(std::move(state)) {}
};

} // namespace _V1
} // namespace sycl

template <sycl::bundle_state State> struct std::hash<sycl::kernel_bundle<State>> {
  std::size_t operator()(const sycl::kernel_bundle<State> &bundle) const {
    return std::hash<sycl::detail::shared_bundle>()(
        sycl::detail::kernel_bundle_access::state(bundle));
  }
};

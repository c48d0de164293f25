// device_image: a part of a kernel bundle: one kernel in this implementation.
#pragma once

#include <cstddef>
#include <iterator>
#include <memory>
#include <sycl/bundle_state.hpp>
#include <sycl/specialization_id.hpp>
#include <utility>

namespace sycl {
inline namespace _V1 {

class device;
class kernel_id;

namespace detail {

class kernel_bundle_state;

// The members of images in all states.
class device_image_base {
public:
  bool has_kernel(const kernel_id &id) const noexcept;
  // Whether it has the kernel and the device can run it.
  bool has_kernel(const kernel_id &id, const device &where) const noexcept;

  bool has_specialization_constants() const noexcept { return uses_constant(nullptr); }
  bool all_specialization_constant_native() const noexcept {
    return has_specialization_constants();
  }
  template <auto &Id> bool has_specialization_constant() const noexcept {
    const char *identifier = specialization_access::identifier(Id);
    return identifier && uses_constant(identifier);
  }

  friend bool operator==(const device_image_base &left, const device_image_base &right) {
    return left.bundle == right.bundle && left.number == right.number;
  }
  friend bool operator!=(const device_image_base &left, const device_image_base &right) {
    return !(left == right);
  }

protected:
  device_image_base(std::shared_ptr<const kernel_bundle_state> bundle, std::size_t number)
      : bundle(std::move(bundle)), number(number) {}

  std::shared_ptr<const kernel_bundle_state> bundle;
  std::size_t number; // of the kernel in the bundle

private:
  // Whether the kernel uses the constant, or any if it is null.
  bool uses_constant(const char *identifier) const noexcept;
};

template <bundle_state State> class device_image_iterator;

} // namespace detail

template <bundle_state State> class device_image : public detail::device_image_base {
public:
  device_image() = delete;

private:
  friend class detail::device_image_iterator<State>;

  device_image(std::shared_ptr<const detail::kernel_bundle_state> bundle, std::size_t number)
      : device_image_base(std::move(bundle), number) {}
};

namespace detail {

template <bundle_state State> class device_image_iterator {
public:
  using iterator_category = std::input_iterator_tag;
  using value_type = device_image<State>;
  using difference_type = std::ptrdiff_t;
  using pointer = const value_type *;
  using reference = const value_type &;

  device_image_iterator(std::shared_ptr<const kernel_bundle_state> bundle, std::size_t number)
      : image(std::move(bundle), number) {}

  reference operator*() const { return image; }
  pointer operator->() const { return &image; }
  device_image_iterator &operator++() {
    ++image.number;
    return *this;
  }
  device_image_iterator operator++(int) {
    device_image_iterator before = *this;
    ++*this;
    return before;
  }

  friend bool operator==(const device_image_iterator &left, const device_image_iterator &right) {
    return left.image == right.image;
  }
  friend bool operator!=(const device_image_iterator &left, const device_image_iterator &right) {
    return !(left == right);
  }

private:
  value_type image;
};

} // namespace detail
} // namespace _V1
} // namespace sycl

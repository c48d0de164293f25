// specialization_id: identifies a specialization constant, and has its default value.
//
//   constexpr sycl::specialization_id<int> tile_size(16);
#pragma once

#include <cstddef>
#include <sycl/detail/specialized_value.hpp>
#include <sycl/is_device_copyable.hpp>
#include <type_traits>
#include <utility>

namespace sycl {
inline namespace _V1 {

namespace detail {

struct specialization_access;

#ifdef __SYCL_DEVICE_ONLY__
class specialization_identity {};
#else
// The name of the variable in device code. The compiler's plugin finds the function by its name,
// and generates a call for each variable before other initializers.
class specialization_identity {
public:
  static void __dovetail_identify(const void *variable, std::size_t size, std::size_t stride,
                                  const char *identifier) noexcept {
    // An element of an array cannot be a template argument.
    if (size == stride)
      static_cast<const specialization_identity *>(variable)->identifier = identifier;
  }

protected:
  constexpr specialization_identity() = default;

private:
  friend struct specialization_access;

  // Even where the variable is constexpr.
  mutable const char *identifier = nullptr;
};
#endif

} // namespace detail

template <typename DataT> class specialization_id : public detail::specialization_identity {
  static_assert(is_device_copyable_v<DataT>,
                "the values of a specialization constant are copied to devices, so its type is "
                "device copyable");

public:
  using value_type = DataT;

  template <typename... Arguments,
            std::enable_if_t<std::is_constructible_v<DataT, Arguments...>, int> = 0>
  explicit constexpr specialization_id(Arguments &&...arguments)
      : initial(std::forward<Arguments>(arguments)...) {}

  specialization_id(const specialization_id &) = delete;
  specialization_id(specialization_id &&) = delete;
  specialization_id &operator=(const specialization_id &) = delete;
  specialization_id &operator=(specialization_id &&) = delete;

private:
  friend struct detail::specialization_access;

  // In device code, passes read it at the address of the variable.
  DataT initial;
};

namespace detail {

// The interface of other classes to an identifier.
struct specialization_access {
#ifdef __SYCL_DEVICE_ONLY__
  static const char *identifier(const specialization_identity &) { return nullptr; }
#else
  static const char *identifier(const specialization_identity &id) { return id.identifier; }
#endif
  template <typename DataT> static const DataT &initial(const specialization_id<DataT> &id) {
    return id.initial;
  }
};

} // namespace detail
} // namespace _V1
} // namespace sycl

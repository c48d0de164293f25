// What a device_global consists of: on a device, where the value is; on the host, which variable it
// is, so that the runtime can be asked to copy.
#pragma once

#include <cstddef>
#include <sycl/access/address_space.hpp>
#include <sycl/detail/decorated_type.hpp>
#include <sycl/detail/fail.hpp>
#include <sycl/errc.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {
namespace detail {

#ifdef __SYCL_DEVICE_ONLY__

// All images of a program share one value: each has a pointer to it, which the runtime sets, and
// the value to begin with. The pointer comes first, as runtimes of other compilers expect it.
template <typename DataT, bool HasImageScope> class device_global_storage {
public:
  constexpr device_global_storage() = default;
  template <typename... Arguments>
  explicit constexpr device_global_storage(std::in_place_t, Arguments &&...arguments)
      : initial{static_cast<Arguments &&>(arguments)...} {}

  DataT &value() const noexcept {
    std::remove_all_extents_t<DataT> *generic = address;
    return *reinterpret_cast<DataT *>(generic);
  }

private:
  decorated_ptr<std::remove_all_extents_t<DataT>, access::address_space::global_space> address =
      nullptr;
  DataT initial{};
};

// The one image that uses it has the value itself.
template <typename DataT> class device_global_storage<DataT, true> {
public:
  constexpr device_global_storage() = default;
  template <typename... Arguments>
  explicit constexpr device_global_storage(std::in_place_t, Arguments &&...arguments)
      : content{static_cast<Arguments &&>(arguments)...} {}

  DataT &value() const noexcept { return content; }

private:
  mutable DataT content{};
};

#else

// Which variable an object is. The compiler's plugin finds the function by its name, and has it
// called before anything else in the program runs, with what the device's code calls the variable.
class device_global_identity {
public:
  // Of a variable, or of each element of an array.
  static void __dovetail_identify(device_global_identity *first, std::size_t size,
                                  std::size_t stride, const char *identifier) noexcept {
    for (std::size_t place = 0; place < size / stride; ++place) {
      auto *bytes = reinterpret_cast<unsigned char *>(first) + place * stride;
      auto *each = reinterpret_cast<device_global_identity *>(bytes);
      each->identifier = identifier;
      each->element = place;
    }
  }

protected:
  constexpr device_global_identity() = default;

private:
  friend struct device_global_access;

  const char *identifier = nullptr;
  std::size_t element = 0;
};

template <typename DataT, bool HasImageScope>
class device_global_storage : public device_global_identity {
public:
  constexpr device_global_storage() = default;
  template <typename... Arguments>
  explicit constexpr device_global_storage(std::in_place_t, Arguments &&...) {}

  [[noreturn]] DataT &value() const {
    fail(errc::feature_not_supported,
         "a device_global has its value on the device: copy it with a queue");
  }
};

#endif

} // namespace detail
} // namespace _V1
} // namespace sycl

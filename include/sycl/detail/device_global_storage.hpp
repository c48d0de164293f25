// The members of a device_global: on a device, its value or a pointer to it; on the host, the
// identity of the variable, with which the runtime copies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <sycl/access/address_space.hpp>
#include <sycl/detail/decorated_type.hpp>
#include <sycl/detail/fail.hpp>
#include <sycl/errc.hpp>
#include <type_traits>
#include <utility>

namespace sycl {
inline namespace _V1 {
namespace detail {

#ifdef __SYCL_DEVICE_ONLY__

// All images of a program share one value: each contains a pointer to it, which the runtime sets,
// and the initial value. The pointer is first, because runtimes of other compilers expect that.
template <typename DataT, bool HasImageScope> class device_global_storage {
public:
  constexpr device_global_storage() = default;
  template <typename... Arguments>
  explicit constexpr device_global_storage(std::in_place_t, Arguments &&...arguments)
      : initial{std::forward<Arguments>(arguments)...} {}

  DataT &value() const {
    using element = std::remove_all_extents_t<DataT>;
    element *generic = (decorated_ptr<element, access::address_space::global_space>)address;
    return *reinterpret_cast<DataT *>(generic);
  }

private:
  // An integer, since clang emits a null pointer to global memory as a cast, which not all
  // back-ends accept as a constant. Mutable, since the runtime sets it even if the variable is
  // const.
  mutable std::uint64_t address = 0;
  DataT initial{};
};

// The value is in the only image that uses it.
template <typename DataT> class device_global_storage<DataT, true> {
public:
  constexpr device_global_storage() = default;
  template <typename... Arguments>
  explicit constexpr device_global_storage(std::in_place_t, Arguments &&...arguments)
      : content{std::forward<Arguments>(arguments)...} {}

  DataT &value() const { return content; }

private:
  mutable DataT content{};
};

#else

// Registers the identifier of a variable. The compiler's plugin finds the function by its name, and
// generates a call with the variable's name in device code before other initializers.
class device_global_identity {
public:
  // Of a variable, or of each element of an array.
  static void __dovetail_identify(const void *first, std::size_t size, std::size_t stride,
                                  const char *identifier) noexcept {
    for (std::size_t place = 0; place < size / stride; ++place) {
      auto *bytes = static_cast<const unsigned char *>(first) + place * stride;
      auto *each = reinterpret_cast<const device_global_identity *>(bytes);
      each->identifier = identifier;
      each->element = place;
    }
  }

protected:
  constexpr device_global_identity() = default;

private:
  friend struct device_global_access;

  // Even where the variable is const.
  mutable const char *identifier = nullptr;
  mutable std::size_t element = 0;
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

// The number of values in a type: 1, or the number of elements of an array of any dimensions.
template <typename DataT>
inline constexpr std::size_t global_count =
    sizeof(DataT) / sizeof(std::remove_all_extents_t<DataT>);

// The handler's interface to device globals.
struct device_global_access {
#ifdef __SYCL_DEVICE_ONLY__
  template <typename Variable> static const char *identifier(const Variable &) { return nullptr; }
  template <typename Variable> static std::size_t element(const Variable &) { return 0; }
#else
  static const char *identifier(const device_global_identity &variable) {
    return variable.identifier;
  }
  static std::size_t element(const device_global_identity &variable) { return variable.element; }
#endif
};

} // namespace detail
} // namespace _V1
} // namespace sycl

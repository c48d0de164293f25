// What a device_global consists of: on a device, where the value is; on the host, which variable it
// is, so that the runtime can be asked to copy.
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

// All images of a program share one value: each has a pointer to it, which the runtime sets, and
// the value to begin with. The pointer comes first, as runtimes of other compilers expect it.
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
  // A number: of a pointer to global memory, clang writes null as a cast, which is no constant for
  // all back-ends.
  // Which the runtime changes, even if the variable is const.
  mutable std::uint64_t address = 0;
  DataT initial{};
};

// The one image that uses it has the value itself.
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

// Which variable an object is. The compiler's plugin finds the function by its name, and has it
// called before anything else in the program runs, with what the device's code calls the variable.
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

  // Also where the variable is const.
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

// How many values there are in one of this type; in an array, of any dimensions, one each.
template <typename DataT>
inline constexpr std::size_t global_count =
    sizeof(DataT) / sizeof(std::remove_all_extents_t<DataT>);

// What the handler does with a device_global.
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

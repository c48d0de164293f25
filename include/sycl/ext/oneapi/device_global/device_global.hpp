// device_global: a variable in device memory, one on each device. Kernels use it by name, not as an
// argument; the host copies to and from it with a queue.
//
//   device_global<int> counter;
//   device_global<float[16], decltype(properties(host_access_write))> weights;
#pragma once

#include <cstddef>
#include <sycl/access/address_space.hpp>
#include <sycl/access/decorated.hpp>
#include <sycl/detail/decorated_type.hpp>
#include <sycl/detail/device_global_storage.hpp>
#include <sycl/detail/property_attributes.hpp>
#include <sycl/detail/property_lists.hpp>
#include <sycl/ext/oneapi/device_global/properties.hpp>
#include <sycl/ext/oneapi/properties/properties.hpp>
#include <sycl/ext/oneapi/property_list.hpp>
#include <sycl/is_device_copyable.hpp>
#include <sycl/multi_ptr.hpp>
#include <type_traits>
#include <utility>

namespace sycl {
inline namespace _V1 {
namespace ext::oneapi::experimental {
namespace detail {

template <typename DataT, typename... Properties>
using device_global_storage = sycl::detail::device_global_storage<
    DataT, properties_t<Properties...>::template has_property<device_image_scope_key>()>;

template <typename DataT, typename = void> struct has_arrow : std::is_pointer<DataT> {};
template <typename DataT>
struct has_arrow<DataT, std::void_t<decltype(std::declval<DataT &>().operator->())>>
    : std::true_type {};

// The common base of the class for both kinds of property lists.
template <typename Self, typename DataT, typename... Properties>
class device_global_members : public device_global_storage<DataT, Properties...> {
  using storage = device_global_storage<DataT, Properties...>;
  using list = properties_t<Properties...>;

  static_assert(is_device_copyable_v<std::remove_all_extents_t<DataT>>,
                "a device_global is copied to and from the host, so its type is device copyable");
  static_assert(std::is_trivially_destructible_v<DataT>,
                "the value of a device_global is never destroyed, so its type has to be trivially "
                "destructible");
  static_assert((is_compile_time<Properties>::value && ...),
                "properties of a device_global are known when the program is compiled");
  static_assert((is_taken_by<Properties, Self> && ...),
                "one of these properties is not for device_global");

  struct nothing {};
  // An array cannot be assigned.
  using assigned = std::conditional_t<std::is_array_v<DataT>, nothing, DataT>;

public:
  using element_type = std::remove_extent_t<DataT>;

  constexpr device_global_members() = default;
  template <typename... Arguments>
  explicit constexpr device_global_members(Arguments &&...arguments)
      : storage(std::in_place, std::forward<Arguments>(arguments)...) {}

  device_global_members(const device_global_members &) = delete;
  device_global_members &operator=(const device_global_members &) = delete;

  // The following members are for kernels.

  DataT &get() { return storage::value(); }
  const DataT &get() const { return storage::value(); }

  operator DataT &() { return get(); }
  operator const DataT &() const { return get(); }

  template <access::decorated IsDecorated>
  multi_ptr<DataT, access::address_space::global_space, IsDecorated> get_multi_ptr() {
    using pointer = sycl::detail::decorated_ptr<DataT, access::address_space::global_space>;
    return multi_ptr<DataT, access::address_space::global_space, IsDecorated>(
        (pointer)__builtin_addressof(get()));
  }
  template <access::decorated IsDecorated>
  multi_ptr<const DataT, access::address_space::global_space, IsDecorated> get_multi_ptr() const {
    using pointer = sycl::detail::decorated_ptr<const DataT, access::address_space::global_space>;
    return multi_ptr<const DataT, access::address_space::global_space, IsDecorated>(
        (pointer)__builtin_addressof(get()));
  }

  DataT &operator=(const assigned &value) { return get() = value; }

  template <typename Relay = DataT>
  auto operator[](std::ptrdiff_t index) -> decltype(std::declval<Relay &>()[index]) {
    return get()[index];
  }
  template <typename Relay = const DataT>
  auto operator[](std::ptrdiff_t index) const -> decltype(std::declval<Relay &>()[index]) {
    return get()[index];
  }

  // For pointers, and for classes that are used as such.
  template <typename Relay = DataT, std::enable_if_t<has_arrow<Relay>::value, int> = 0>
  Relay &operator->() {
    return get();
  }
  template <typename Relay = const DataT, std::enable_if_t<has_arrow<Relay>::value, int> = 0>
  Relay &operator->() const {
    return get();
  }

  template <typename Key> static constexpr bool has_property() {
    return list::template has_property<Key>();
  }
  template <typename Key> static constexpr auto get_property() {
    return list::template get_property<Key>();
  }
};

template <typename Variable> constexpr host_access_enum host_access_of() {
  if constexpr (Variable::template has_property<host_access_key>())
    return Variable::template get_property<host_access_key>().value;
  else
    return host_access_enum::read_write;
}

template <typename Variable>
inline constexpr bool host_reads = host_access_of<Variable>() == host_access_enum::read ||
                                   host_access_of<Variable>() == host_access_enum::read_write;
template <typename Variable>
inline constexpr bool host_writes = host_access_of<Variable>() == host_access_enum::write ||
                                    host_access_of<Variable>() == host_access_enum::read_write;

} // namespace detail

template <typename DataT, typename List> class device_global {
  static_assert(is_property_list_v<List>, "a device_global's properties are a list of properties");
};

template <typename DataT, typename... Properties>
class DOVETAIL_DEVICE_GLOBAL(DataT, Properties)
    device_global<DataT, properties<detail::properties_type_list<Properties...>>>
    : public detail::device_global_members<
          device_global<DataT, properties<detail::properties_type_list<Properties...>>>, DataT,
          Properties...> {
  using members = detail::device_global_members<device_global, DataT, Properties...>;

public:
  using members::members;
  using members::operator=;
};

// With the property list of the extension's first revision.
template <typename DataT, typename... Properties>
class DOVETAIL_DEVICE_GLOBAL(DataT, Properties) device_global<DataT, property_list<Properties...>>
    : public detail::device_global_members<device_global<DataT, property_list<Properties...>>,
                                           DataT, Properties...> {
  using members = detail::device_global_members<device_global, DataT, Properties...>;

public:
  using members::members;
  using members::operator=;
};

} // namespace ext::oneapi::experimental

namespace ext::oneapi {

using experimental::device_global;

} // namespace ext::oneapi
} // namespace _V1
} // namespace sycl

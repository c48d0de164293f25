// The properties of memory that is passed to kernels, by annotated_ptr or accessor.
#pragma once

#include <sycl/detail/declarations.hpp>
#include <sycl/ext/oneapi/properties/property.hpp>
#include <sycl/ext/oneapi/properties/property_value.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {
namespace ext::oneapi::experimental {

template <typename DataT, typename List> class annotated_ptr;

// No other argument of the kernel points to the same memory.
struct no_alias_key : detail::compile_time_property_key<> {
  using value_t = property_value<no_alias_key>;
};

// The alignment of the address in bytes.
struct alignment_key : detail::compile_time_property_key<> {
  template <int Bytes>
  using value_t = property_value<alignment_key, std::integral_constant<int, Bytes>>;
};

// The memory of an FPGA board that contains it.
struct buffer_location_key : detail::compile_time_property_key<> {
  template <int Number>
  using value_t = property_value<buffer_location_key, std::integral_constant<int, Number>>;
};

template <> struct property_value<no_alias_key> : detail::property_value_base<no_alias_key> {
  static constexpr const char *meta_name = "sycl-no-alias";
  static constexpr const char *meta_value = "";
};

template <int Bytes>
struct property_value<alignment_key, std::integral_constant<int, Bytes>>
    : detail::property_value_base<alignment_key, std::integral_constant<int, Bytes>> {
  static_assert(Bytes > 0 && (Bytes & (Bytes - 1)) == 0, "an alignment is a power of two");
  static constexpr const char *meta_name = "sycl-alignment";
  static constexpr int meta_value = Bytes;
};

template <int Number>
struct property_value<buffer_location_key, std::integral_constant<int, Number>>
    : detail::property_value_base<buffer_location_key, std::integral_constant<int, Number>> {
  static_assert(Number >= 0, "memories are counted from zero");
  static constexpr const char *meta_name = "sycl-buffer-location";
  static constexpr int meta_value = Number;
};

inline constexpr no_alias_key::value_t no_alias;
template <int Bytes> inline constexpr alignment_key::value_t<Bytes> alignment;
template <int Number> inline constexpr buffer_location_key::value_t<Number> buffer_location;

#define DOVETAIL_MEMORY_PROPERTY(KEY)                                                              \
  template <typename DataT, typename List>                                                         \
  struct is_property_key_of<KEY, annotated_ptr<DataT, List>> : std::true_type {};                  \
  template <typename DataT, int Dimensions, access_mode Mode, target Target,                       \
            access::placeholder IsPlaceholder, typename List>                                      \
  struct is_property_key_of<KEY, accessor<DataT, Dimensions, Mode, Target, IsPlaceholder, List>>   \
      : std::true_type {};

DOVETAIL_MEMORY_PROPERTY(no_alias_key)
DOVETAIL_MEMORY_PROPERTY(alignment_key)
DOVETAIL_MEMORY_PROPERTY(buffer_location_key)
#undef DOVETAIL_MEMORY_PROPERTY

} // namespace ext::oneapi::experimental

namespace ext::oneapi {

using experimental::no_alias;

// The names of the extension's first revision.
inline constexpr experimental::no_alias_key::value_t no_alias_v;
template <int Bytes> inline constexpr experimental::alignment_key::value_t<Bytes> alignment_v;
template <int Number>
inline constexpr experimental::buffer_location_key::value_t<Number> buffer_location_v;

} // namespace ext::oneapi
} // namespace _V1
} // namespace sycl

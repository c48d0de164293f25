// properties: a list of properties with distinct keys, in any order.
//
//   properties list{sub_group_size<16>, device_has<aspect::fp16>};
//   static_assert(list.has_property<sub_group_size_key>());
#pragma once

#include <sycl/detail/property_lists.hpp>
#include <sycl/ext/oneapi/properties/property.hpp>
#include <sycl/ext/oneapi/properties/property_meta_info.hpp>
#include <sycl/ext/oneapi/properties/property_value.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {
namespace ext::oneapi::experimental {

template <typename List> class properties;

template <typename List> struct is_property_list : std::false_type {};
template <typename List> struct is_property_list<properties<List>> : std::true_type {};
template <typename List> inline constexpr bool is_property_list_v = is_property_list<List>::value;

namespace detail {

template <typename... Properties> using properties_t = properties<sorted_properties<Properties...>>;

template <typename Property> struct run_time_slot {
  Property value;
};

// The elements of a list, accessed by type.
template <typename Property> struct given_property {
  const Property &value;
};
template <typename... Properties> struct given_properties : given_property<Properties>... {};

// The run-time values of a list; compile-time properties are not stored.
template <typename List> struct run_time_slots;
template <typename... Properties>
struct run_time_slots<properties_type_list<Properties...>> : run_time_slot<Properties>... {
  constexpr run_time_slots() = default;

  template <typename... Given>
  explicit constexpr run_time_slots(const given_properties<Given...> &given)
      : run_time_slot<Properties>{static_cast<const given_property<Properties> &>(given).value}... {
  }

  constexpr bool equals(const run_time_slots &other) const {
    return ((run_time_slot<Properties>::value == other.run_time_slot<Properties>::value) && ...);
  }
};

template <> struct run_time_slots<properties_type_list<>> {
  constexpr run_time_slots() = default;
  template <typename Given> explicit constexpr run_time_slots(const Given &) {}
  constexpr bool equals(const run_time_slots &) const { return true; }
};

} // namespace detail

template <typename... Properties>
class properties<detail::properties_type_list<Properties...>>
    : detail::run_time_slots<
          typename detail::run_time_part<detail::properties_type_list<Properties...>>::type> {
  using list = detail::properties_type_list<Properties...>;
  using slots = detail::run_time_slots<typename detail::run_time_part<list>::type>;
  template <typename Key> using found = typename detail::found_property<Key, Properties...>::type;

  static_assert((is_property_value_v<Properties> && ...),
                "a list of properties can hold nothing but properties");
  static_assert(detail::are_distinct<detail::property_key<Properties>...>,
                "a list of properties can hold each property only once");

public:
  constexpr properties() = default;

  // In any order.
  template <typename... Given,
            std::enable_if_t<(sizeof...(Given) > 0) &&
                                 std::is_same_v<detail::sorted_properties<Given...>, list>,
                             int> = 0>
  constexpr properties(const Given &...given)
      : slots(detail::given_properties<Given...>{{given}...}) {}

  template <typename Key> static constexpr bool has_property() {
    return (__is_same(Key, detail::property_key<Properties>) || ...);
  }

  template <typename Key,
            std::enable_if_t<
                detail::is_compile_time<found<Key>>::value || std::is_void_v<found<Key>>, int> = 0>
  static constexpr auto get_property() {
    static_assert(has_property<Key>(), "the list of properties does not have this property");
    return found<Key>();
  }
  template <typename Key, std::enable_if_t<!detail::is_compile_time<found<Key>>::value &&
                                               !std::is_void_v<found<Key>>,
                                           int> = 0>
  constexpr auto get_property() const {
    return static_cast<const detail::run_time_slot<found<Key>> &>(*this).value;
  }

  friend constexpr bool operator==(const properties &left, const properties &right) {
    return left.equals(right);
  }
  friend constexpr bool operator!=(const properties &left, const properties &right) {
    return !(left == right);
  }
};

template <typename... Given>
properties(Given...) -> properties<detail::sorted_properties<Given...>>;

template <typename Left, typename Right, std::enable_if_t<!std::is_same_v<Left, Right>, int> = 0>
constexpr bool operator==(const properties<Left> &, const properties<Right> &) {
  return false;
}
template <typename Left, typename Right, std::enable_if_t<!std::is_same_v<Left, Right>, int> = 0>
constexpr bool operator!=(const properties<Left> &, const properties<Right> &) {
  return true;
}

namespace detail {

// The union of two lists; properties in both must be equal.
template <typename Left, typename Right> struct merged_properties;
template <typename... Left, typename... Right>
struct merged_properties<properties<properties_type_list<Left...>>,
                         properties<properties_type_list<Right...>>> {
  using type = properties_t<__builtin_dedup_pack<Left..., Right...>...>;
};
template <typename Left, typename Right>
using merged_properties_t = typename merged_properties<Left, Right>::type;

} // namespace detail

using empty_properties_t = properties<detail::properties_type_list<>>;

} // namespace ext::oneapi::experimental
} // namespace _V1
} // namespace sycl

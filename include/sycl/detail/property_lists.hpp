// Type lists of properties: sorting and selecting. Implemented with clang's built-ins for packs, so
// that long lists compile almost as fast as short ones.
#pragma once

#include <sycl/ext/oneapi/properties/property.hpp>

namespace sycl {
inline namespace _V1 {
namespace ext::oneapi::experimental::detail {

template <typename... Properties> struct properties_type_list {};

template <int Count> struct property_places {
  int at[Count ? Count : 1];
};

// The compiler's spelling of a type, which host and device share.
template <typename Key> constexpr const char *key_text() { return __PRETTY_FUNCTION__; }

// A merge sort.
template <int Count> constexpr property_places<Count> sorted_places(const char *const *texts) {
  property_places<Count> from = {}, to = {};
  for (int i = 0; i < Count; ++i)
    from.at[i] = i;
  for (int width = 1; width < Count; width *= 2) {
    for (int start = 0; start < Count; start += 2 * width) {
      int middle = start + width < Count ? start + width : Count;
      int end = middle + width < Count ? middle + width : Count;
      int left = start, right = middle;
      for (int out = start; out < end; ++out) {
        bool takes_left =
            left < middle &&
            (right == end || __builtin_strcmp(texts[from.at[left]], texts[from.at[right]]) <= 0);
        to.at[out] = from.at[takes_left ? left++ : right++];
      }
    }
    from = to;
  }
  return from;
}

template <typename... Properties> struct places_by_name {
  static constexpr int count = sizeof...(Properties);
  static constexpr const char *texts[] = {key_text<property_key<Properties>>()...};
  static constexpr property_places<count> value = sorted_places<count>(texts);
};

template <bool... Kept> struct places_kept {
  static constexpr int count = (0 + ... + int(Kept));
  static constexpr property_places<count> list() {
    property_places<count> places = {};
    int place = 0, next = 0;
    ((Kept ? void(places.at[next++] = place++) : void(++place)), ...);
    return places;
  }
  static constexpr property_places<count> value = list();
};

template <typename Number, Number... Numbers> struct numbers {};

// The elements at some positions of a list.
template <typename Places, typename Indices, typename... Properties> struct picked;
template <typename Places, int... Indices, typename... Properties>
struct picked<Places, numbers<int, Indices...>, Properties...> {
  using type =
      properties_type_list<__type_pack_element<Places::value.at[Indices], Properties...>...>;
};
template <typename Places, typename... Properties>
using pick =
    typename picked<Places, __make_integer_seq<numbers, int, Places::count>, Properties...>::type;

template <typename... Properties> struct sorted {
  using type = pick<places_by_name<Properties...>, Properties...>;
};
template <> struct sorted<> {
  using type = properties_type_list<>;
};
template <typename Property> struct sorted<Property> {
  using type = properties_type_list<Property>;
};

// The list of some properties.
template <typename... Properties> using sorted_properties = typename sorted<Properties...>::type;

// Those of a list that are known when the program is compiled; and the others.
template <typename List> struct compile_time_part;
template <typename... Properties> struct compile_time_part<properties_type_list<Properties...>> {
  using type = pick<places_kept<is_compile_time<Properties>::value...>, Properties...>;
};
template <typename List> struct run_time_part;
template <typename... Properties> struct run_time_part<properties_type_list<Properties...>> {
  using type = pick<places_kept<!is_compile_time<Properties>::value...>, Properties...>;
};

template <typename... Types> inline constexpr int count_of = sizeof...(Types);
template <typename... Types>
inline constexpr bool are_distinct =
    count_of<__builtin_dedup_pack<Types...>...> == sizeof...(Types);

// The position of a type in a list; the size of the list if it does not contain the type.
template <typename Type, typename... Types> constexpr int place_of() {
  int place = 0;
  (void)((__is_same(Type, Types) || (++place, false)) || ...);
  return place;
}

// The property of a list that has the key; void if there is none.
template <typename Key, typename... Properties> struct found_property {
  using type =
      __type_pack_element<place_of<Key, property_key<Properties>...>(), Properties..., void>;
};

} // namespace ext::oneapi::experimental::detail
} // namespace _V1
} // namespace sycl

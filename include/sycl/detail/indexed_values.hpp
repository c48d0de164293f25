// indexed_values: a tuple whose layout is that of its elements in order. It is trivially copyable
// if they are, so that kernel objects may contain it.
#pragma once

#include <cstddef>
#include <utility>

namespace sycl {
inline namespace _V1 {
namespace detail {

template <std::size_t Index, typename Value> struct indexed_value {
  Value value;
};

template <typename Indices, typename... Values> struct indexed_values_of;
template <std::size_t... Index, typename... Values>
struct indexed_values_of<std::index_sequence<Index...>, Values...>
    : indexed_value<Index, Values>... {
  // Each element is initialized from one argument.
  template <typename... Arguments>
  explicit indexed_values_of(const Arguments &...arguments)
      : indexed_value<Index, Values>{Values(arguments)}... {}
};

template <typename... Values>
using indexed_values = indexed_values_of<std::index_sequence_for<Values...>, Values...>;

template <std::size_t Index, typename Value>
constexpr Value &value_at(indexed_value<Index, Value> &element) {
  return element.value;
}
template <std::size_t Index, typename Value>
constexpr const Value &value_at(const indexed_value<Index, Value> &element) {
  return element.value;
}

} // namespace detail
} // namespace _V1
} // namespace sycl

// reduction_variable: what sycl::reduction returns: the memory of the result, and how to combine.
#pragma once

#include <cstddef>
#include <sycl/detail/declarations.hpp>
#include <sycl/reducer.hpp>

namespace sycl {
inline namespace _V1 {
namespace detail {

// The memory is a pointer or an accessor. It has one element, or for arrays Extent.
template <typename Memory, typename Rule, std::size_t Extent, int Dimensions>
struct reduction_variable {
  using rule_type = Rule;
  using slot = typename Rule::slot;
  using reducer_type =
      reducer<typename Rule::value_type, typename Rule::binary_operation, Dimensions, Extent, Rule>;

  static constexpr std::size_t extent = Extent;

  // Called by one work-item, with the result of all.
  void store(std::size_t index, slot result) const {
    auto &target = element(memory, index);
    if (!replaces)
      result = rule.join(rule.lift(target), result);
    rule.store(result, target);
  }

  Memory memory;
  Rule rule;
  bool replaces; // initialize_to_identity

private:
  template <typename DataT> static DataT &element(DataT *first, std::size_t index) {
    return first[index];
  }
  template <typename Accessor> static auto &element(const Accessor &a, std::size_t) {
    return *a.begin();
  }
};

template <typename DataT> inline constexpr bool is_reduction = false;
template <typename Memory, typename Rule, std::size_t Extent, int Dimensions>
inline constexpr bool is_reduction<reduction_variable<Memory, Rule, Extent, Dimensions>> = true;

} // namespace detail
} // namespace _V1
} // namespace sycl

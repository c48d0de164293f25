// reduction: makes a variable, a USM object or a span of one the target of a reduction.
#pragma once

#include <cstddef>
#include <sycl/accessor.hpp>
#include <sycl/buffer.hpp>
#include <sycl/detail/fail.hpp>
#include <sycl/detail/not_deduced.hpp>
#include <sycl/detail/reduction_rule.hpp>
#include <sycl/detail/reduction_variable.hpp>
#include <sycl/errc.hpp>
#include <sycl/handler.hpp>
#include <sycl/is_device_copyable.hpp>
#include <sycl/known_identity.hpp>
#include <sycl/property/no_init.hpp>
#include <sycl/property/reduction.hpp>
#include <sycl/property_list.hpp>
#include <sycl/span.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {
namespace detail {

template <typename DataT, typename Operation> auto make_rule(const Operation &operation) {
  if constexpr (has_known_identity_v<Operation, DataT>)
    return identity_rule<DataT, Operation>(operation, known_identity_v<Operation, DataT>);
  else
    return optional_rule<DataT, Operation>(operation);
}

template <int Dimensions, std::size_t Extent, typename Memory, typename Rule>
reduction_variable<Memory, Rule, Extent, Dimensions>
make_reduction(const Memory &memory, const Rule &rule, const property_list &properties) {
  using value_type = typename Rule::value_type;
  static_assert(is_device_copyable_v<value_type>, "devices exchange results as bytes");
  const bool replaces = properties.has_property<property::reduction::initialize_to_identity>();
  if (replaces && !Rule::has_identity)
    fail(errc::invalid, "initialize_to_identity: the reduction has no identity; pass one to "
                        "reduction()");
  return {memory, rule, replaces};
}

template <typename Rule, typename DataT, int Dimensions, typename Allocator>
auto make_buffer_reduction(buffer<DataT, Dimensions, Allocator> &variable, handler &h,
                           const Rule &rule, const property_list &properties) {
  if (variable.size() != 1)
    fail(errc::invalid, "the buffer of a reduction has one element");
  using memory = accessor<DataT, Dimensions, access_mode::read_write>;
  const bool replaces = properties.has_property<property::reduction::initialize_to_identity>();
  return make_reduction<0, 1>(replaces ? memory(variable, h, no_init) : memory(variable, h), rule,
                              properties);
}

} // namespace detail

// Each with an identity, or with an operation whose identity is known, or without.

template <typename DataT, int Dimensions, typename Allocator, typename BinaryOperation>
auto reduction(buffer<DataT, Dimensions, Allocator> variable, handler &h, BinaryOperation combiner,
               const property_list &properties = {}) {
  return detail::make_buffer_reduction(variable, h, detail::make_rule<DataT>(combiner), properties);
}

template <typename DataT, int Dimensions, typename Allocator, typename BinaryOperation>
auto reduction(buffer<DataT, Dimensions, Allocator> variable, handler &h,
               const detail::not_deduced_t<DataT> &identity, BinaryOperation combiner,
               const property_list &properties = {}) {
  return detail::make_buffer_reduction(
      variable, h, detail::identity_rule<DataT, BinaryOperation>(combiner, identity), properties);
}

template <typename DataT, typename BinaryOperation>
auto reduction(DataT *variable, BinaryOperation combiner, const property_list &properties = {}) {
  return detail::make_reduction<0, 1>(variable, detail::make_rule<DataT>(combiner), properties);
}

template <typename DataT, typename BinaryOperation>
auto reduction(DataT *variable, const detail::not_deduced_t<DataT> &identity,
               BinaryOperation combiner, const property_list &properties = {}) {
  return detail::make_reduction<0, 1>(
      variable, detail::identity_rule<DataT, BinaryOperation>(combiner, identity), properties);
}

template <typename DataT, std::size_t Extent, typename BinaryOperation,
          std::enable_if_t<Extent != dynamic_extent, int> = 0>
auto reduction(span<DataT, Extent> variables, BinaryOperation combiner,
               const property_list &properties = {}) {
  return detail::make_reduction<1, Extent>(variables.data(), detail::make_rule<DataT>(combiner),
                                           properties);
}

template <typename DataT, std::size_t Extent, typename BinaryOperation,
          std::enable_if_t<Extent != dynamic_extent, int> = 0>
auto reduction(span<DataT, Extent> variables, const detail::not_deduced_t<DataT> &identity,
               BinaryOperation combiner, const property_list &properties = {}) {
  return detail::make_reduction<1, Extent>(
      variables.data(), detail::identity_rule<DataT, BinaryOperation>(combiner, identity),
      properties);
}

} // namespace _V1
} // namespace sycl

// Function objects and reductions under the names of the extensions that preceded SYCL 2020.
#pragma once

#include <sycl/access/mode.hpp>
#include <sycl/access/placeholder.hpp>
#include <sycl/access/target.hpp>
#include <sycl/accessor.hpp>
#include <sycl/detail/fail.hpp>
#include <sycl/detail/reduction_rule.hpp>
#include <sycl/errc.hpp>
#include <sycl/functional.hpp>
#include <sycl/known_identity.hpp>
#include <sycl/property/reduction.hpp>
#include <sycl/property_list.hpp>
#include <sycl/reduction.hpp>

namespace sycl {
inline namespace _V1 {
namespace ext {
namespace oneapi {

using sycl::bit_and;
using sycl::bit_or;
using sycl::bit_xor;
using sycl::maximum;
using sycl::minimum;
using sycl::multiplies;
using sycl::plus;

using sycl::has_known_identity;
using sycl::has_known_identity_v;
using sycl::known_identity;
using sycl::known_identity_v;

using sycl::reduction;

// Of an accessor of one element. One that only writes does not include the earlier value.
template <typename DataT, int Dimensions, access_mode Mode, access::placeholder IsPlaceholder,
          typename Properties, typename BinaryOperation>
auto reduction(
    const accessor<DataT, Dimensions, Mode, target::device, IsPlaceholder, Properties> &variable,
    const sycl::detail::not_deduced_t<DataT> &identity, BinaryOperation combiner) {
  const sycl::detail::identity_rule<DataT, BinaryOperation> rule(combiner, identity);
  const bool writes_only = Mode == access_mode::write || Mode == access_mode::discard_write ||
                           Mode == access_mode::discard_read_write;
  if (variable.size() != 1)
    sycl::detail::fail(errc::invalid, "the accessor of a reduction has one element");
  return sycl::detail::make_reduction<0, 1>(
      variable, rule,
      writes_only ? sycl::property_list{sycl::property::reduction::initialize_to_identity()}
                  : sycl::property_list{});
}
template <typename DataT, int Dimensions, access_mode Mode, access::placeholder IsPlaceholder,
          typename Properties, typename BinaryOperation>
auto reduction(
    const accessor<DataT, Dimensions, Mode, target::device, IsPlaceholder, Properties> &variable,
    BinaryOperation combiner) {
  return oneapi::reduction(variable, known_identity_v<BinaryOperation, DataT>, combiner);
}

} // namespace oneapi
} // namespace ext
} // namespace _V1
} // namespace sycl

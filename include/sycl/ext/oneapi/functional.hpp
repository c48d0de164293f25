// Function objects and reductions under the names of the extensions that preceded SYCL 2020.
#pragma once

#include <sycl/functional.hpp>
#include <sycl/known_identity.hpp>
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

} // namespace oneapi
} // namespace ext
} // namespace _V1
} // namespace sycl

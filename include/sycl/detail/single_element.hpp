// single_element: the conversion of a vector or array to a scalar, if it has one element.
#pragma once

#include <cstddef>

namespace sycl {
inline namespace _V1 {
namespace detail {

// A base class, because a conversion function that is a template does not convert any further, for
// example to bool.
template <typename Derived, typename DataT, std::size_t NumElements> class single_element {};

template <typename Derived, typename DataT> class single_element<Derived, DataT, 1> {
public:
  constexpr operator DataT() const { return static_cast<const Derived &>(*this)[0]; }
};

} // namespace detail
} // namespace _V1
} // namespace sycl

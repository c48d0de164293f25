// The types and values of specialization constants.
#pragma once

#include <type_traits>

namespace sycl {
inline namespace _V1 {
namespace detail {

template <auto &Id>
using specialized_type = typename std::remove_reference_t<decltype(Id)>::value_type;

// A value whose bytes are written before it is read; the type may have no default constructor.
template <typename DataT> struct specialized_value {
  alignas(DataT) unsigned char bytes[sizeof(DataT)];

  DataT get() const { return *reinterpret_cast<const DataT *>(bytes); }
};

} // namespace detail
} // namespace _V1
} // namespace sycl

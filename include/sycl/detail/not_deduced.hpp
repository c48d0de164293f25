// not_deduced_t<DataT>: a parameter of type DataT from which no template argument is deduced, so
// that arguments of any type that converts are accepted.
#pragma once

namespace sycl {
inline namespace _V1 {
namespace detail {

template <typename DataT> struct not_deduced {
  using type = DataT;
};
template <typename DataT> using not_deduced_t = typename not_deduced<DataT>::type;

} // namespace detail
} // namespace _V1
} // namespace sycl

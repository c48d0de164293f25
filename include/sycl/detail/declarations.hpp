// Class templates that need each other's names before they are defined, and their defaults.
#pragma once

#include <memory>
#include <sycl/access/mode.hpp>
#include <sycl/access/placeholder.hpp>
#include <sycl/access/target.hpp>
#include <sycl/ext/oneapi/properties/properties.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {

class handler;

template <typename DataT> using buffer_allocator = std::allocator<DataT>;

template <typename DataT, int Dimensions = 1,
          typename Allocator = buffer_allocator<std::remove_const_t<DataT>>>
class buffer;

namespace detail {

template <typename DataT>
inline constexpr access_mode default_mode =
    std::is_const_v<DataT> ? access_mode::read : access_mode::read_write;

} // namespace detail

template <typename DataT, int Dimensions = 1, access_mode Mode = detail::default_mode<DataT>,
          target Target = target::device,
          access::placeholder IsPlaceholder = access::placeholder::false_t,
          typename Properties = ext::oneapi::experimental::empty_properties_t>
class accessor;

template <typename DataT, int Dimensions = 1, access_mode Mode = detail::default_mode<DataT>>
class host_accessor;

} // namespace _V1
} // namespace sycl

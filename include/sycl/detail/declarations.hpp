// Class templates that need each other's names before they are defined, and their defaults.
#pragma once

#include <memory>
#include <sycl/access/mode.hpp>
#include <sycl/access/placeholder.hpp>
#include <sycl/access/target.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {

class handler;

template <typename T> using buffer_allocator = std::allocator<T>;

template <typename T, int Dimensions = 1,
          typename Allocator = buffer_allocator<std::remove_const_t<T>>>
class buffer;

namespace detail {

template <typename T>
inline constexpr access_mode default_mode =
    std::is_const_v<T> ? access_mode::read : access_mode::read_write;

} // namespace detail

template <typename T, int Dimensions = 1, access_mode Mode = detail::default_mode<T>,
          target Target = target::device,
          access::placeholder IsPlaceholder = access::placeholder::false_t>
class accessor;

template <typename T, int Dimensions = 1, access_mode Mode = detail::default_mode<T>>
class host_accessor;

} // namespace _V1
} // namespace sycl

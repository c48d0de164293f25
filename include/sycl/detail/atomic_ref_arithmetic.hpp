// What an atomic_ref can do besides, by what it refers to: an integer, a floating-point number, a
// pointer.
#pragma once

#include <cstddef>
#include <sycl/detail/atomic_ref_base.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {
namespace detail {

// Integers.
template <typename T, memory_order DefaultOrder, memory_scope DefaultScope,
          access::address_space Space, typename = void>
class atomic_ref_arithmetic : public atomic_ref_base<T, DefaultOrder, DefaultScope, Space> {
  using base = atomic_ref_base<T, DefaultOrder, DefaultScope, Space>;

public:
  using difference_type = T;
  using base::base;
  using base::default_read_modify_write_order;
  using base::default_scope;
  using base::operator=;

#define DOVETAIL_FETCH(NAME, OPERATION)                                                            \
  T NAME(T operand, memory_order order = default_read_modify_write_order,                          \
         memory_scope scope = default_scope) const noexcept {                                      \
    return base::from_bits(OPERATION(base::bits_address(), base::to_bits(operand), order, scope)); \
  }
  DOVETAIL_FETCH(fetch_add, atomic::fetch_add)
  DOVETAIL_FETCH(fetch_sub, atomic::fetch_sub)
  DOVETAIL_FETCH(fetch_and, atomic::fetch_and)
  DOVETAIL_FETCH(fetch_or, atomic::fetch_or)
  DOVETAIL_FETCH(fetch_xor, atomic::fetch_xor)
#undef DOVETAIL_FETCH

  T fetch_min(T operand, memory_order order = default_read_modify_write_order,
              memory_scope scope = default_scope) const noexcept {
    auto value = base::to_bits(operand);
    if constexpr (std::is_signed_v<T>)
      return base::from_bits(atomic::fetch_min_signed(base::bits_address(), value, order, scope));
    else
      return base::from_bits(atomic::fetch_min_unsigned(base::bits_address(), value, order, scope));
  }

  T fetch_max(T operand, memory_order order = default_read_modify_write_order,
              memory_scope scope = default_scope) const noexcept {
    auto value = base::to_bits(operand);
    if constexpr (std::is_signed_v<T>)
      return base::from_bits(atomic::fetch_max_signed(base::bits_address(), value, order, scope));
    else
      return base::from_bits(atomic::fetch_max_unsigned(base::bits_address(), value, order, scope));
  }

  T operator++(int) const noexcept { return fetch_add(1); }
  T operator--(int) const noexcept { return fetch_sub(1); }
  T operator++() const noexcept { return *this += 1; }
  T operator--() const noexcept { return *this -= 1; }

  // In bits the result wraps around instead of overflowing.
  T operator+=(T operand) const noexcept {
    return base::from_bits(base::to_bits(fetch_add(operand)) + base::to_bits(operand));
  }
  T operator-=(T operand) const noexcept {
    return base::from_bits(base::to_bits(fetch_sub(operand)) - base::to_bits(operand));
  }
  T operator&=(T operand) const noexcept { return fetch_and(operand) & operand; }
  T operator|=(T operand) const noexcept { return fetch_or(operand) | operand; }
  T operator^=(T operand) const noexcept { return fetch_xor(operand) ^ operand; }
};

// Floating-point numbers.
template <typename T, memory_order DefaultOrder, memory_scope DefaultScope,
          access::address_space Space>
class atomic_ref_arithmetic<T, DefaultOrder, DefaultScope, Space,
                            std::enable_if_t<std::is_floating_point_v<T>>>
    : public atomic_ref_base<T, DefaultOrder, DefaultScope, Space> {
  using base = atomic_ref_base<T, DefaultOrder, DefaultScope, Space>;

public:
  using difference_type = T;
  using base::base;
  using base::default_read_modify_write_order;
  using base::default_scope;
  using base::operator=;

  T fetch_add(T operand, memory_order order = default_read_modify_write_order,
              memory_scope scope = default_scope) const noexcept {
    return atomic::fetch_add_floating(base::address, operand, order, scope);
  }

  T fetch_sub(T operand, memory_order order = default_read_modify_write_order,
              memory_scope scope = default_scope) const noexcept {
    return fetch_add(-operand, order, scope);
  }

  T fetch_min(T operand, memory_order order = default_read_modify_write_order,
              memory_scope scope = default_scope) const noexcept {
    return atomic::fetch_min_floating(base::address, operand, order, scope);
  }

  T fetch_max(T operand, memory_order order = default_read_modify_write_order,
              memory_scope scope = default_scope) const noexcept {
    return atomic::fetch_max_floating(base::address, operand, order, scope);
  }

  T operator+=(T operand) const noexcept { return fetch_add(operand) + operand; }
  T operator-=(T operand) const noexcept { return fetch_sub(operand) - operand; }
};

// Pointers, which move by whole elements.
template <typename T, memory_order DefaultOrder, memory_scope DefaultScope,
          access::address_space Space>
class atomic_ref_arithmetic<T *, DefaultOrder, DefaultScope, Space>
    : public atomic_ref_base<T *, DefaultOrder, DefaultScope, Space> {
  using base = atomic_ref_base<T *, DefaultOrder, DefaultScope, Space>;

  static typename base::bits distance(std::ptrdiff_t elements) {
    return static_cast<typename base::bits>(elements) * sizeof(T);
  }

public:
  using difference_type = std::ptrdiff_t;
  using base::base;
  using base::default_read_modify_write_order;
  using base::default_scope;
  using base::operator=;

  T *fetch_add(difference_type operand, memory_order order = default_read_modify_write_order,
               memory_scope scope = default_scope) const noexcept {
    return base::from_bits(
        atomic::fetch_add(base::bits_address(), distance(operand), order, scope));
  }

  T *fetch_sub(difference_type operand, memory_order order = default_read_modify_write_order,
               memory_scope scope = default_scope) const noexcept {
    return base::from_bits(
        atomic::fetch_sub(base::bits_address(), distance(operand), order, scope));
  }

  T *operator++(int) const noexcept { return fetch_add(1); }
  T *operator--(int) const noexcept { return fetch_sub(1); }
  T *operator++() const noexcept { return fetch_add(1) + 1; }
  T *operator--() const noexcept { return fetch_sub(1) - 1; }
  T *operator+=(difference_type operand) const noexcept { return fetch_add(operand) + operand; }
  T *operator-=(difference_type operand) const noexcept { return fetch_sub(operand) - operand; }
};

} // namespace detail
} // namespace _V1
} // namespace sycl

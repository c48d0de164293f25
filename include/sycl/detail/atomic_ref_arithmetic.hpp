// The other operations of an atomic_ref, by referenced type: integer, floating-point number,
// pointer.
#pragma once

#include <cstddef>
#include <sycl/detail/atomic_ref_base.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {
namespace detail {

// Integers.
template <typename DataT, memory_order DefaultOrder, memory_scope DefaultScope,
          access::address_space Space, typename = void>
class atomic_ref_arithmetic : public atomic_ref_base<DataT, DefaultOrder, DefaultScope, Space> {
  using base = atomic_ref_base<DataT, DefaultOrder, DefaultScope, Space>;

public:
  using difference_type = DataT;
  using base::base;
  using base::default_read_modify_write_order;
  using base::default_scope;
  using base::operator=;

#define DOVETAIL_FETCH(NAME, OPERATION)                                                            \
  DataT NAME(DataT operand, memory_order order = default_read_modify_write_order,                  \
             memory_scope scope = default_scope) const noexcept {                                  \
    return base::from_bits(OPERATION(base::bits_address(), base::to_bits(operand), order, scope)); \
  }
  DOVETAIL_FETCH(fetch_add, atomic::fetch_add)
  DOVETAIL_FETCH(fetch_sub, atomic::fetch_sub)
  DOVETAIL_FETCH(fetch_and, atomic::fetch_and)
  DOVETAIL_FETCH(fetch_or, atomic::fetch_or)
  DOVETAIL_FETCH(fetch_xor, atomic::fetch_xor)
#undef DOVETAIL_FETCH

  DataT fetch_min(DataT operand, memory_order order = default_read_modify_write_order,
                  memory_scope scope = default_scope) const noexcept {
    auto value = base::to_bits(operand);
    if constexpr (std::is_signed_v<DataT>)
      return base::from_bits(atomic::fetch_min_signed(base::bits_address(), value, order, scope));
    else
      return base::from_bits(atomic::fetch_min_unsigned(base::bits_address(), value, order, scope));
  }

  DataT fetch_max(DataT operand, memory_order order = default_read_modify_write_order,
                  memory_scope scope = default_scope) const noexcept {
    auto value = base::to_bits(operand);
    if constexpr (std::is_signed_v<DataT>)
      return base::from_bits(atomic::fetch_max_signed(base::bits_address(), value, order, scope));
    else
      return base::from_bits(atomic::fetch_max_unsigned(base::bits_address(), value, order, scope));
  }

  DataT operator++(int) const noexcept { return fetch_add(1); }
  DataT operator--(int) const noexcept { return fetch_sub(1); }
  DataT operator++() const noexcept { return *this += 1; }
  DataT operator--() const noexcept { return *this -= 1; }

  // Unsigned arithmetic wraps around instead of overflowing.
  DataT operator+=(DataT operand) const noexcept {
    return base::from_bits(base::to_bits(fetch_add(operand)) + base::to_bits(operand));
  }
  DataT operator-=(DataT operand) const noexcept {
    return base::from_bits(base::to_bits(fetch_sub(operand)) - base::to_bits(operand));
  }
  DataT operator&=(DataT operand) const noexcept { return fetch_and(operand) & operand; }
  DataT operator|=(DataT operand) const noexcept { return fetch_or(operand) | operand; }
  DataT operator^=(DataT operand) const noexcept { return fetch_xor(operand) ^ operand; }
};

// Floating-point numbers.
template <typename DataT, memory_order DefaultOrder, memory_scope DefaultScope,
          access::address_space Space>
class atomic_ref_arithmetic<DataT, DefaultOrder, DefaultScope, Space,
                            std::enable_if_t<std::is_floating_point_v<DataT>>>
    : public atomic_ref_base<DataT, DefaultOrder, DefaultScope, Space> {
  using base = atomic_ref_base<DataT, DefaultOrder, DefaultScope, Space>;

public:
  using difference_type = DataT;
  using base::base;
  using base::default_read_modify_write_order;
  using base::default_scope;
  using base::operator=;

  DataT fetch_add(DataT operand, memory_order order = default_read_modify_write_order,
                  memory_scope scope = default_scope) const noexcept {
    return atomic::fetch_add_floating(base::address, operand, order, scope);
  }

  DataT fetch_sub(DataT operand, memory_order order = default_read_modify_write_order,
                  memory_scope scope = default_scope) const noexcept {
    return fetch_add(-operand, order, scope);
  }

  DataT fetch_min(DataT operand, memory_order order = default_read_modify_write_order,
                  memory_scope scope = default_scope) const noexcept {
    return atomic::fetch_min_floating(base::address, operand, order, scope);
  }

  DataT fetch_max(DataT operand, memory_order order = default_read_modify_write_order,
                  memory_scope scope = default_scope) const noexcept {
    return atomic::fetch_max_floating(base::address, operand, order, scope);
  }

  DataT operator+=(DataT operand) const noexcept { return fetch_add(operand) + operand; }
  DataT operator-=(DataT operand) const noexcept { return fetch_sub(operand) - operand; }
};

// Pointers, which move by whole elements.
template <typename DataT, memory_order DefaultOrder, memory_scope DefaultScope,
          access::address_space Space>
class atomic_ref_arithmetic<DataT *, DefaultOrder, DefaultScope, Space>
    : public atomic_ref_base<DataT *, DefaultOrder, DefaultScope, Space> {
  using base = atomic_ref_base<DataT *, DefaultOrder, DefaultScope, Space>;

  static typename base::bits distance(std::ptrdiff_t elements) {
    return static_cast<typename base::bits>(elements) * sizeof(DataT);
  }

public:
  using difference_type = std::ptrdiff_t;
  using base::base;
  using base::default_read_modify_write_order;
  using base::default_scope;
  using base::operator=;

  DataT *fetch_add(difference_type operand, memory_order order = default_read_modify_write_order,
                   memory_scope scope = default_scope) const noexcept {
    return base::from_bits(
        atomic::fetch_add(base::bits_address(), distance(operand), order, scope));
  }

  DataT *fetch_sub(difference_type operand, memory_order order = default_read_modify_write_order,
                   memory_scope scope = default_scope) const noexcept {
    return base::from_bits(
        atomic::fetch_sub(base::bits_address(), distance(operand), order, scope));
  }

  DataT *operator++(int) const noexcept { return fetch_add(1); }
  DataT *operator--(int) const noexcept { return fetch_sub(1); }
  DataT *operator++() const noexcept { return fetch_add(1) + 1; }
  DataT *operator--() const noexcept { return fetch_sub(1) - 1; }
  DataT *operator+=(difference_type operand) const noexcept { return fetch_add(operand) + operand; }
  DataT *operator-=(difference_type operand) const noexcept { return fetch_sub(operand) - operand; }
};

} // namespace detail
} // namespace _V1
} // namespace sycl

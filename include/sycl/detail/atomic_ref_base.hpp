// The operations of every atomic_ref: load, store, exchange.
#pragma once

#include <cstddef>
#include <cstdint>
#include <sycl/access/address_space.hpp>
#include <sycl/detail/atomic_operations.hpp>
#include <sycl/detail/decorated_type.hpp>
#include <sycl/memory_order.hpp>
#include <sycl/memory_scope.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {
namespace detail {

template <typename DataT, memory_order DefaultOrder, memory_scope DefaultScope,
          access::address_space Space>
class atomic_ref_base {
  static_assert(sizeof(DataT) == 4 || sizeof(DataT) == 8,
                "atomic_ref takes types of 4 and 8 bytes");
  static_assert(std::is_pointer_v<DataT> || std::is_floating_point_v<DataT> ||
                    (std::is_integral_v<DataT> && !std::is_same_v<DataT, bool>),
                "atomic_ref takes numbers and pointers");
  static_assert(DefaultOrder == memory_order::relaxed || DefaultOrder == memory_order::acq_rel ||
                    DefaultOrder == memory_order::seq_cst,
                "the default order of an atomic_ref is relaxed, acq_rel or seq_cst");
  static_assert(Space == access::address_space::global_space ||
                    Space == access::address_space::local_space ||
                    Space == access::address_space::generic_space,
                "an atomic_ref refers to global, local or generic memory");

protected:
  // What the operations work on in place of the value: its bits.
  using bits = std::conditional_t<sizeof(DataT) == 4, std::uint32_t, std::uint64_t>;

  static bits to_bits(DataT value) {
    bits result;
    __builtin_memcpy(&result, &value, sizeof(DataT));
    return result;
  }

  static DataT from_bits(bits value) {
    DataT result;
    __builtin_memcpy(&result, &value, sizeof(DataT));
    return result;
  }

  // The pointer keeps its address space, which a reference in SYCL code does not show.
  decorated_ptr<bits, Space> bits_address() const { return (decorated_ptr<bits, Space>)address; }

public:
  using value_type = DataT;

  static constexpr std::size_t required_alignment = sizeof(DataT);
  static constexpr bool is_always_lock_free = true;
  static constexpr memory_order default_read_order =
      DefaultOrder == memory_order::acq_rel ? memory_order::acquire : DefaultOrder;
  static constexpr memory_order default_write_order =
      DefaultOrder == memory_order::acq_rel ? memory_order::release : DefaultOrder;
  static constexpr memory_order default_read_modify_write_order = DefaultOrder;
  static constexpr memory_scope default_scope = DefaultScope;

  explicit atomic_ref_base(DataT &object) : address((decorated_ptr<DataT, Space>)&object) {}
  atomic_ref_base(const atomic_ref_base &) noexcept = default;
  atomic_ref_base &operator=(const atomic_ref_base &) = delete;

  bool is_lock_free() const noexcept { return true; }

  void store(DataT operand, memory_order order = default_write_order,
             memory_scope scope = default_scope) const noexcept {
    atomic::store(bits_address(), to_bits(operand), order, scope);
  }

  DataT operator=(DataT desired) const noexcept {
    store(desired);
    return desired;
  }

  DataT load(memory_order order = default_read_order,
             memory_scope scope = default_scope) const noexcept {
    return from_bits(atomic::load(bits_address(), order, scope));
  }

  operator DataT() const noexcept { return load(); }

  DataT exchange(DataT operand, memory_order order = default_read_modify_write_order,
                 memory_scope scope = default_scope) const noexcept {
    return from_bits(atomic::exchange(bits_address(), to_bits(operand), order, scope));
  }

  bool compare_exchange_strong(DataT &expected, DataT desired, memory_order success,
                               memory_order failure,
                               memory_scope scope = default_scope) const noexcept {
    bits wanted = to_bits(expected);
    bits found =
        atomic::compare_exchange(bits_address(), wanted, to_bits(desired), success, failure, scope);
    if (found == wanted)
      return true;
    expected = from_bits(found);
    return false;
  }

  bool compare_exchange_strong(DataT &expected, DataT desired,
                               memory_order order = default_read_modify_write_order,
                               memory_scope scope = default_scope) const noexcept {
    return compare_exchange_strong(expected, desired, order, failure_order(order), scope);
  }

  // The weak form never fails spuriously here.
  bool compare_exchange_weak(DataT &expected, DataT desired, memory_order success,
                             memory_order failure,
                             memory_scope scope = default_scope) const noexcept {
    return compare_exchange_strong(expected, desired, success, failure, scope);
  }

  bool compare_exchange_weak(DataT &expected, DataT desired,
                             memory_order order = default_read_modify_write_order,
                             memory_scope scope = default_scope) const noexcept {
    return compare_exchange_strong(expected, desired, order, scope);
  }

protected:
  decorated_ptr<DataT, Space> address;

private:
  // A failed exchange stores nothing and so releases nothing.
  static constexpr memory_order failure_order(memory_order order) {
    if (order == memory_order::acq_rel)
      return memory_order::acquire;
    return order == memory_order::release ? memory_order::relaxed : order;
  }
};

} // namespace detail
} // namespace _V1
} // namespace sycl

// sub_group_mask: a bit for each work-item of a sub-group, and group_ballot, which returns one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <sycl/builtins/integer_functions.hpp>
#include <sycl/detail/group_constraints.hpp>
#include <sycl/detail/work_item.hpp>
#include <sycl/group_reductions.hpp>
#include <sycl/id.hpp>
#include <sycl/marray.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {
namespace ext::oneapi {

// Has as many bits as the sub-group can have work-items. The bits above are zero.
struct sub_group_mask {
  static constexpr std::size_t max_bits = 64;

  class reference {
  public:
    reference &operator=(bool value) {
      mask.set(place, value);
      return *this;
    }
    reference &operator=(const reference &other) { return *this = static_cast<bool>(other); }
    reference(const reference &other) = default;

    operator bool() const { return mask.test(place); }
    bool operator~() const { return !*this; }
    reference &flip() { return *this = !*this; }

  private:
    reference(sub_group_mask &mask, id<1> place) : mask(mask), place(place) {}
    friend struct sub_group_mask;

    sub_group_mask &mask;
    id<1> place;
  };

  sub_group_mask() : sub_group_mask(0) {}
  sub_group_mask(unsigned long long value)
      : width(sycl::detail::work_item::sub_group_max_local_range()), bits(value & all_bits()) {}
  template <typename DataT, std::size_t NumElements>
  sub_group_mask(const marray<DataT, NumElements> &values) : sub_group_mask(0) {
    insert_bits(values);
  }

  bool operator[](id<1> place) const { return test(place); }
  reference operator[](id<1> place) { return reference(*this, place); }
  bool test(id<1> place) const { return (bits & bit(place)) != 0; }

  bool all() const { return bits == all_bits(); }
  bool any() const { return bits != 0; }
  bool none() const { return bits == 0; }
  std::uint32_t count() const { return static_cast<std::uint32_t>(sycl::popcount(bits)); }
  std::uint32_t size() const { return width; }

  id<1> find_low() const { return any() ? sycl::ctz(bits) : size(); }
  id<1> find_high() const { return any() ? max_bits - 1 - sycl::clz(bits) : size(); }

  template <typename DataT, std::enable_if_t<std::is_integral_v<DataT>, int> = 0>
  void insert_bits(DataT values, id<1> start = 0) {
    const std::uint64_t places = shifted_left(lowest(sizeof(DataT) * 8), start[0]);
    bits = (bits & ~places) |
           (shifted_left(static_cast<std::uint64_t>(values), start[0]) & places & all_bits());
  }
  template <typename DataT, std::size_t NumElements>
  void insert_bits(const marray<DataT, NumElements> &values, id<1> start = 0) {
    for (std::size_t i = 0; i < NumElements; ++i)
      insert_bits(values[i], start + i * sizeof(DataT) * 8);
  }

  template <typename DataT, std::enable_if_t<std::is_integral_v<DataT>, int> = 0>
  void extract_bits(DataT &values, id<1> start = 0) const {
    values = static_cast<DataT>(shifted_right(bits, start[0]));
  }
  template <typename DataT, std::size_t NumElements>
  void extract_bits(marray<DataT, NumElements> &values, id<1> start = 0) const {
    for (std::size_t i = 0; i < NumElements; ++i)
      extract_bits(values[i], start + i * sizeof(DataT) * 8);
  }

  void set() { bits = all_bits(); }
  void set(id<1> place, bool value = true) { value ? void(bits |= bit(place)) : reset(place); }
  void reset() { bits = 0; }
  void reset(id<1> place) { bits &= ~bit(place); }
  void reset_low() { reset(find_low()); }
  void reset_high() { reset(find_high()); }
  void flip() { bits ^= all_bits(); }
  void flip(id<1> place) { bits ^= bit(place); }

  bool operator==(const sub_group_mask &other) const { return bits == other.bits; }
  bool operator!=(const sub_group_mask &other) const { return bits != other.bits; }

  sub_group_mask &operator&=(const sub_group_mask &other) { return assign(bits & other.bits); }
  sub_group_mask &operator|=(const sub_group_mask &other) { return assign(bits | other.bits); }
  sub_group_mask &operator^=(const sub_group_mask &other) { return assign(bits ^ other.bits); }
  sub_group_mask &operator<<=(std::size_t shift) { return assign(shifted_left(bits, shift)); }
  sub_group_mask &operator>>=(std::size_t shift) { return assign(shifted_right(bits, shift)); }

  sub_group_mask operator~() const { return sub_group_mask(*this).assign(~bits); }
  sub_group_mask operator<<(std::size_t shift) const { return sub_group_mask(*this) <<= shift; }
  sub_group_mask operator>>(std::size_t shift) const { return sub_group_mask(*this) >>= shift; }

  friend sub_group_mask operator&(sub_group_mask x, const sub_group_mask &y) { return x &= y; }
  friend sub_group_mask operator|(sub_group_mask x, const sub_group_mask &y) { return x |= y; }
  friend sub_group_mask operator^(sub_group_mask x, const sub_group_mask &y) { return x ^= y; }

private:
  // Shifts by the width of a type are undefined.
  static std::uint64_t shifted_left(std::uint64_t value, std::size_t shift) {
    return shift < max_bits ? value << shift : 0;
  }
  static std::uint64_t shifted_right(std::uint64_t value, std::size_t shift) {
    return shift < max_bits ? value >> shift : 0;
  }
  static std::uint64_t lowest(std::size_t count) { return ~shifted_left(~std::uint64_t(0), count); }

  std::uint64_t all_bits() const { return lowest(width); }
  std::uint64_t bit(id<1> place) const { return shifted_left(1, place[0]) & all_bits(); }
  sub_group_mask &assign(std::uint64_t value) {
    bits = value & all_bits();
    return *this;
  }

  std::uint32_t width;
  std::uint64_t bits;
};

template <typename Group, sycl::detail::if_sub_group<Group> = 0>
sub_group_mask group_ballot(Group group, bool predicate = true) {
  const auto own = static_cast<std::uint64_t>(predicate) << group.get_local_linear_id();
  return sub_group_mask(reduce_over_group(group, own, bit_or<std::uint64_t>()));
}

} // namespace ext::oneapi
} // namespace _V1
} // namespace sycl

// reducer: what a kernel passes its contributions to a reduction to.
#pragma once

#include <cstddef>
#include <new>
#include <sycl/functional.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {

// A reducer of a span (Dimensions is 1) has the elements as reducers of no dimension, which are
// views.
template <typename DataT, typename BinaryOperation, int Dimensions, std::size_t Extent,
          typename Rule, bool IsView = false>
class reducer;

namespace detail {

struct reducer_access;

// What reducers of values share. The operators exist for the operations that they stand for.
template <typename Reducer, typename DataT, typename BinaryOperation> class reducer_operators {
  template <template <typename> typename Name, typename Operation>
  using if_operation = std::enable_if_t<is_operation<Name, Operation, DataT>, int>;
  template <template <typename> typename Name, typename Operation>
  using if_integral =
      std::enable_if_t<is_operation<Name, Operation, DataT> && std::is_integral_v<DataT>, int>;

public:
  template <typename Operation = BinaryOperation, if_operation<plus, Operation> = 0>
  Reducer &operator+=(const DataT &value) {
    return own().combine(value);
  }
  template <typename Operation = BinaryOperation, if_operation<multiplies, Operation> = 0>
  Reducer &operator*=(const DataT &value) {
    return own().combine(value);
  }
  template <typename Operation = BinaryOperation, if_integral<bit_and, Operation> = 0>
  Reducer &operator&=(const DataT &value) {
    return own().combine(value);
  }
  template <typename Operation = BinaryOperation, if_integral<bit_or, Operation> = 0>
  Reducer &operator|=(const DataT &value) {
    return own().combine(value);
  }
  template <typename Operation = BinaryOperation, if_integral<bit_xor, Operation> = 0>
  Reducer &operator^=(const DataT &value) {
    return own().combine(value);
  }
  template <typename Operation = BinaryOperation, if_integral<plus, Operation> = 0>
  Reducer &operator++() {
    return own().combine(static_cast<DataT>(1));
  }
  template <typename Operation = BinaryOperation, if_integral<plus, Operation> = 0>
  void operator++(int) {
    own().combine(static_cast<DataT>(1));
  }

private:
  Reducer &own() { return static_cast<Reducer &>(*this); }
};

// What all reducers share.
template <typename DataT, typename BinaryOperation, int Dimensions, typename Rule>
class reducer_base {
public:
  using value_type = DataT;
  using binary_operation = BinaryOperation;
  static constexpr int dimensions = Dimensions;

  reducer_base(const reducer_base &) = delete;
  reducer_base &operator=(const reducer_base &) = delete;

  template <typename Given = Rule, std::enable_if_t<Given::has_identity, int> = 0>
  DataT identity() const {
    return rule.get_identity();
  }

protected:
  explicit reducer_base(const Rule &rule) : rule(rule) {}

  const Rule &rule;
};

} // namespace detail

template <typename DataT, typename BinaryOperation, std::size_t Extent, typename Rule>
class reducer<DataT, BinaryOperation, 0, Extent, Rule, false>
    : public detail::reducer_base<DataT, BinaryOperation, 0, Rule>,
      public detail::reducer_operators<reducer<DataT, BinaryOperation, 0, Extent, Rule, false>,
                                       DataT, BinaryOperation> {
public:
  // For the kernels of reductions.
  explicit reducer(const Rule &rule)
      : detail::reducer_base<DataT, BinaryOperation, 0, Rule>(rule), sum(rule.start()) {}

  reducer &combine(const DataT &partial) {
    this->rule.add(sum, partial);
    return *this;
  }

private:
  friend struct detail::reducer_access;

  typename Rule::slot &get_slot(std::size_t) { return sum; }

  typename Rule::slot sum;
};

// One element of a reducer of a span.
template <typename DataT, typename BinaryOperation, std::size_t Extent, typename Rule>
class reducer<DataT, BinaryOperation, 0, Extent, Rule, true>
    : public detail::reducer_base<DataT, BinaryOperation, 0, Rule>,
      public detail::reducer_operators<reducer<DataT, BinaryOperation, 0, Extent, Rule, true>,
                                       DataT, BinaryOperation> {
public:
  reducer &combine(const DataT &partial) {
    this->rule.add(sum, partial);
    return *this;
  }

private:
  friend class reducer<DataT, BinaryOperation, 1, Extent, Rule, false>;

  reducer(const Rule &rule, typename Rule::slot &sum)
      : detail::reducer_base<DataT, BinaryOperation, 0, Rule>(rule), sum(sum) {}

  typename Rule::slot &sum;
};

template <typename DataT, typename BinaryOperation, std::size_t Extent, typename Rule>
class reducer<DataT, BinaryOperation, 1, Extent, Rule, false>
    : public detail::reducer_base<DataT, BinaryOperation, 1, Rule> {
  using element = reducer<DataT, BinaryOperation, 0, Extent, Rule, true>;

  using slot = typename Rule::slot;

public:
  // For the kernels of reductions.
  explicit reducer(const Rule &rule) : detail::reducer_base<DataT, BinaryOperation, 1, Rule>(rule) {
    for (std::size_t i = 0; i < Extent; ++i)
      ::new (static_cast<void *>(__builtin_addressof(get_slot(i)))) slot(rule.start());
  }

  element operator[](std::size_t index) { return element(this->rule, get_slot(index)); }

private:
  friend struct detail::reducer_access;

  slot &get_slot(std::size_t index) {
    return *reinterpret_cast<slot *>(bytes + index * sizeof(slot));
  }

  // Bytes, since a slot may have no default constructor.
  alignas(slot) unsigned char bytes[Extent * sizeof(slot)];
};

namespace detail {

// The kernels' interface to reducers.
struct reducer_access {
  template <typename Reducer> static auto &slot(Reducer &of, std::size_t index) {
    return of.get_slot(index);
  }
};

} // namespace detail
} // namespace _V1
} // namespace sycl

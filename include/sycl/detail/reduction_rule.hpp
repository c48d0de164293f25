// How a reduction combines values: its operation and, if there is one, the identity.
//
// A rule defines `slot`, a partial result: with an identity a value, otherwise a value or none.
#pragma once

#include <cstddef>
#include <sycl/access/fence_space.hpp>
#include <sycl/detail/barrier.hpp>
#include <sycl/detail/group_arithmetic.hpp>
#include <sycl/detail/group_scratch.hpp>
#include <sycl/detail/optional_value.hpp>
#include <sycl/detail/words.hpp>
#include <sycl/functional.hpp>
#include <sycl/group.hpp>
#include <sycl/memory_scope.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {
namespace detail {

template <typename DataT, typename Operation> class identity_rule {
public:
  using value_type = DataT;
  using binary_operation = Operation;
  using slot = DataT;

  static constexpr bool has_identity = true;

  identity_rule(const Operation &operation, const DataT &identity)
      : operation(operation), identity(identity) {}

  const DataT &get_identity() const { return identity; }
  slot start() const { return identity; }
  slot lift(const DataT &value) const { return value; }

  // Operations may have a call operator that is not const.
  slot join(const slot &left, const slot &right) const {
    Operation own(operation);
    return static_cast<DataT>(own(left, right));
  }
  void add(slot &sum, const DataT &value) const { sum = join(sum, value); }
  void store(const slot &result, DataT &target) const { target = result; }

  template <int Dimensions> slot fold(group<Dimensions> over, const slot &value) const {
    if constexpr (is_function_object<Operation>)
      return group_arithmetic::reduce(over, value, sycl_operation_t<Operation>());
    else
      return group_fold::reduce(
          over, value, [this](const slot &left, const slot &right) { return join(left, right); });
  }

private:
  Operation operation;
  DataT identity;
};

template <typename DataT, typename Operation> class optional_rule {
public:
  using value_type = DataT;
  using binary_operation = Operation;
  using slot = optional_value<DataT>;

  static constexpr bool has_identity = false;

  explicit optional_rule(const Operation &operation) : operation(operation) {}

  slot start() const { return slot(); }
  slot lift(const DataT &value) const { return slot(value); }

  slot join(const slot &left, const slot &right) const {
    if (!left)
      return right;
    if (!right)
      return left;
    Operation own(operation);
    return slot(static_cast<DataT>(own(*left, *right)));
  }
  void add(slot &sum, const DataT &value) const { sum = join(sum, slot(value)); }
  void store(const slot &result, DataT &target) const {
    if (result)
      target = *result;
  }

  template <int Dimensions> slot fold(group<Dimensions> over, const slot &value) const {
    return group_fold::reduce(
        over, value, [this](const slot &left, const slot &right) { return join(left, right); });
  }

private:
  Operation operation;
};

// Partial results that are too large for the algorithms over work-groups are exchanged in global
// memory.
template <typename Rule>
inline constexpr bool exchanges_in_memory = words<typename Rule::slot>::count > group_scratch::size;

// Returns the result of the group, which is valid in its leader. `exchange` has an element for each
// work-item of the group if partial results are exchanged in memory.
template <typename Rule, int Dimensions>
typename Rule::slot fold_group(const Rule &rule, group<Dimensions> over,
                               const typename Rule::slot &value,
                               [[maybe_unused]] typename Rule::slot *exchange) {
  if constexpr (!exchanges_in_memory<Rule>) {
    return rule.fold(over, value);
  } else {
    const auto wait = [] {
      barrier(memory_scope::work_group, memory_scope::work_group,
              access::fence_space::global_and_local);
    };
    exchange[over.get_local_linear_id()] = value;
    wait();
    typename Rule::slot result = value;
    if (over.leader())
      for (std::size_t i = 1; i < over.get_local_linear_range(); ++i)
        result = rule.join(result, exchange[i]);
    wait();
    return result;
  }
}

} // namespace detail
} // namespace _V1
} // namespace sycl

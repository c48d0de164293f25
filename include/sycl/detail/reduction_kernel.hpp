// The kernels of parallel_for with reductions: the user's kernel object with what the reductions
// need.
//
// Each work-item has reducers in private memory. Their values are combined by work-group; each
// group leaves its partial results in global memory, and the last group to do so combines these.
// So a reduction is one kernel, for every type and operation.
//
// What follows the user's function is always inlined: otherwise, reducers would be in memory, and
// Intel's CPU runtime executes barriers in functions slowly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <sycl/access/address_space.hpp>
#include <sycl/access/fence_space.hpp>
#include <sycl/atomic_ref.hpp>
#include <sycl/detail/barrier.hpp>
#include <sycl/detail/group_arithmetic.hpp>
#include <sycl/detail/indexed_values.hpp>
#include <sycl/detail/kernel_call.hpp>
#include <sycl/detail/reduction_rule.hpp>
#include <sycl/detail/work_item.hpp>
#include <sycl/group.hpp>
#include <sycl/id.hpp>
#include <sycl/item.hpp>
#include <sycl/memory_order.hpp>
#include <sycl/memory_scope.hpp>
#include <sycl/nd_item.hpp>
#include <sycl/range.hpp>
#include <sycl/reducer.hpp>
#include <type_traits>
#include <utility>

namespace sycl {
inline namespace _V1 {
namespace detail {

// A reduction with its memory for the partial results of groups. Those of an element are adjacent.
template <typename Reduction> struct reduction_part {
  using slot = typename Reduction::slot;
  using reducer_type = typename Reduction::reducer_type;

  // `exchange` has an element for each work-item of a group if partial results are exchanged in
  // memory, for each group.
  Reduction variable;
  slot *partials;
  slot *exchange;

  template <int Dimensions>
  [[gnu::always_inline]] slot fold(group<Dimensions> over, const slot &value) const {
    return fold_group(variable.rule, over, value,
                      exchange + over.get_group_linear_id() * over.get_local_linear_range());
  }

  template <int Dimensions> void put_partials(group<Dimensions> over, reducer_type &values) const {
    const std::size_t own = over.get_group_linear_id(), groups = over.get_group_linear_range();
    for (std::size_t i = 0; i < Reduction::extent; ++i) {
      const slot value = fold(over, reducer_access::slot(values, i));
      if (over.leader())
        partials[i * groups + own] = value;
    }
  }

  template <int Dimensions>
  [[gnu::always_inline]] void join_partials(group<Dimensions> over) const {
    const std::size_t groups = over.get_group_linear_range();
    for (std::size_t i = 0; i < Reduction::extent; ++i) {
      slot sum = variable.rule.start();
      for (std::size_t number = over.get_local_linear_id(); number < groups;
           number += over.get_local_linear_range())
        sum = variable.rule.join(sum, partials[i * groups + number]);
      store(over, i, sum);
    }
  }

  // For a group that is the only one.
  template <int Dimensions>
  [[gnu::always_inline]] void finish(group<Dimensions> over, reducer_type &values) const {
    for (std::size_t i = 0; i < Reduction::extent; ++i)
      store(over, i, reducer_access::slot(values, i));
  }

private:
  template <int Dimensions>
  [[gnu::always_inline]] void store(group<Dimensions> over, std::size_t index,
                                    const slot &value) const {
    const slot result = fold(over, value);
    if (over.leader())
      variable.store(index, result);
  }
};

// Whether all other groups have passed this place. What they wrote before is visible then.
//
// The leader only increments: Intel's CPU runtime executes `acq_rel`, stores of the result and
// nested conditions slowly. The barrier is the acquiring fence, for all work-items of the last
// group.
template <int Dimensions>
[[gnu::always_inline]] inline bool is_last_group(group<Dimensions> over, std::uint32_t *arrivals) {
  using counter = atomic_ref<std::uint32_t, memory_order::relaxed, memory_scope::device,
                             access::address_space::global_space>;
  bool last = false;
  if (over.leader())
    last =
        counter(*arrivals).fetch_add(1, memory_order::release) + 1 == over.get_group_linear_range();
  if (!group_arithmetic::any(over, last))
    return false;
  barrier(memory_scope::work_group, memory_scope::device, access::fence_space::global_and_local);
  if (over.leader())
    counter(*arrivals).store(0); // for the next kernel that uses this memory
  return true;
}

// Called by all work-items when they have contributed.
template <int Dimensions, typename Parts, typename Reducers, std::size_t... Index>
[[gnu::always_inline]] inline void finish_reductions(std::uint32_t *arrivals, const Parts &parts,
                                                     Reducers &reducers,
                                                     std::index_sequence<Index...>) {
  const group<Dimensions> over = group_access::make<Dimensions>();
  if (over.get_group_linear_range() == 1) {
    (value_at<Index>(parts).finish(over, value_at<Index>(reducers)), ...);
    return;
  }
  (value_at<Index>(parts).put_partials(over, value_at<Index>(reducers)), ...);
  if (is_last_group(over, arrivals))
    (value_at<Index>(parts).join_partials(over), ...);
}

// The kernel of parallel_for over an nd_range.
template <int Dimensions, typename Kernel, typename... Reductions> class nd_range_reduction {
public:
  using parts_type = indexed_values<reduction_part<Reductions>...>;

  nd_range_reduction(const Kernel &kernel, const parts_type &parts, std::uint32_t *arrivals,
                     bool is_empty)
      : kernel(kernel), parts(parts), arrivals(arrivals), is_empty(is_empty) {}

  void operator()(nd_item<Dimensions> own) const {
    run(own, std::index_sequence_for<Reductions...>());
  }

private:
  template <std::size_t... Index>
  void run(nd_item<Dimensions> own, std::index_sequence<Index...>) const {
    constexpr bool takes_nd_item = takes_arguments<Kernel, nd_item<Dimensions> &,
                                                   typename Reductions::reducer_type &...>::value;
    static_assert(takes_nd_item,
                  "a kernel over an nd_range takes an nd_item of its dimensions and a reducer, by "
                  "reference, for each reduction, then possibly a kernel_handler, and is callable "
                  "if const");
    indexed_values<typename Reductions::reducer_type...> reducers(
        value_at<Index>(parts).variable.rule...);
    // After a failed assertion, a call would be a second error.
    if constexpr (takes_nd_item)
      if (!is_empty)
        call_kernel(kernel, own, value_at<Index>(reducers)...);
    finish_reductions<Dimensions>(arrivals, parts, reducers, std::index_sequence<Index...>());
  }

  Kernel kernel;
  parts_type parts;
  std::uint32_t *arrivals;
  bool is_empty; // then the launch has one group, for the results
};

// The kernel of parallel_for over a range. Each group covers a block of the range, so that there
// are only as many partial results as the device can use.
template <int Dimensions, typename Kernel, typename... Reductions> class range_reduction {
public:
  using parts_type = indexed_values<reduction_part<Reductions>...>;

  range_reduction(const Kernel &kernel, const parts_type &parts, std::uint32_t *arrivals,
                  const range<Dimensions> &size, const range<Dimensions> &block)
      : kernel(kernel), parts(parts), arrivals(arrivals), size(size), block(block) {}

  void operator()(nd_item<Dimensions>) const { run(std::index_sequence_for<Reductions...>()); }

private:
  template <std::size_t... Index> void run(std::index_sequence<Index...>) const {
    constexpr bool any_item = takes_arguments<Kernel, item<Dimensions, true> &,
                                              typename Reductions::reducer_type &...>::value;
    constexpr bool takes_item =
        any_item || takes_arguments<Kernel, item<Dimensions, false> &,
                                    typename Reductions::reducer_type &...>::value;
    static_assert(takes_item,
                  "a kernel over a range takes an item or an id of its dimensions, or a number if "
                  "there is one dimension, and a reducer, by reference, for each reduction, then "
                  "possibly a kernel_handler, and is callable if const");
    indexed_values<typename Reductions::reducer_type...> reducers(
        value_at<Index>(parts).variable.rule...);
    id<Dimensions> place;
    if constexpr (takes_item)
      visit<0>(place, [&] {
        auto own = item_access::make<any_item>(place, size);
        call_kernel(kernel, own, value_at<Index>(reducers)...);
      });
    finish_reductions<Dimensions>(arrivals, parts, reducers, std::index_sequence<Index...>());
  }

  // Sets `place` to each position of the work-item in the block of its group.
  template <int Dimension, typename Call>
  void visit(id<Dimensions> &place, const Call &call) const {
    // Not a minimum: Intel's CPU runtime does not recognize that its result is the same for all
    // work-items, and makes every step conditional.
    const std::size_t number = work_item::group_id<Dimensions>(Dimension);
    const bool is_last = number + 1 == work_item::group_range<Dimensions>(Dimension);
    const std::size_t first = number * block[Dimension];
    const std::size_t end = is_last ? size[Dimension] : first + block[Dimension];
    const std::size_t step = work_item::local_range<Dimensions>(Dimension);
    const std::size_t own = work_item::local_id<Dimensions>(Dimension);
    if constexpr (Dimension + 1 < Dimensions) {
      for (place[Dimension] = first + own; place[Dimension] < end; place[Dimension] += step)
        visit<Dimension + 1>(place, call);
    } else {
      visit_row(place[Dimension], first, end, step, own, call);
    }
  }

  // Steps that all work-items make are not conditional, because vectorizers need that; and several
  // of them at once hide the latency of the operation.
  template <typename Call>
  static void visit_row(std::size_t &place, std::size_t first, std::size_t end, std::size_t step,
                        std::size_t own, const Call &call) {
    constexpr int unrolled = 4;
    for (; end - first >= unrolled * step; first += unrolled * step)
      for (int i = 0; i < unrolled; ++i) {
        place = first + i * step + own;
        call();
      }
    for (; first < end; first += step)
      if (place = first + own; place < end)
        call();
  }

  Kernel kernel;
  parts_type parts;
  std::uint32_t *arrivals;
  range<Dimensions> size;
  range<Dimensions> block;
};

} // namespace detail
} // namespace _V1
} // namespace sycl

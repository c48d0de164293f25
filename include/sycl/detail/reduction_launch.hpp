// reduction_launch: how the handler starts kernels with reductions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <sycl/detail/indexed_values.hpp>
#include <sycl/detail/kernel_properties.hpp>
#include <sycl/detail/launch_shape.hpp>
#include <sycl/detail/reduction_kernel.hpp>
#include <sycl/nd_range.hpp>
#include <sycl/range.hpp>
#include <utility>

namespace sycl {
inline namespace _V1 {
namespace detail {

// How a range is divided among work-groups; three dimensions, the outer ones 1 where there are
// fewer.
struct reduction_blocks {
  std::size_t groups[3];
  std::size_t local[3];
  std::size_t block[3]; // work-items that a group covers
};

// Memory for counters and partial results, in parts that do not share cache lines.
class reduction_memory {
public:
  static constexpr std::size_t line = 128;

  template <typename DataT> static constexpr std::size_t size_of(std::size_t count) {
    return (count * sizeof(DataT) + line - 1) / line * line;
  }

  // Null if the reductions need no scratch memory.
  explicit reduction_memory(void *memory) : next(static_cast<unsigned char *>(memory)) {}

  template <typename DataT> DataT *take(std::size_t count) {
    unsigned char *place = next;
    if (place)
      next += size_of<DataT>(count);
    return reinterpret_cast<DataT *>(place);
  }

private:
  unsigned char *next;
};

struct reduction_launch {
  // `rest` are reductions and, last, the kernel. Given is the list of properties, or void.
  template <typename Name, typename Given, typename Handler, typename Size, typename... Rest>
  static void start(Handler &h, const Size &size, const Rest &...rest) {
    split<Name, Given>(h, size, indexed_values<const Rest *...>(__builtin_addressof(rest)...),
                       std::make_index_sequence<sizeof...(Rest) - 1>());
  }

private:
  template <typename Name, typename Given, typename Handler, typename Size, typename Arguments,
            std::size_t... Index>
  static void split(Handler &h, const Size &size, const Arguments &all,
                    std::index_sequence<Index...>) {
    launch<Name, Given>(h, size, *value_at<sizeof...(Index)>(all), *value_at<Index>(all)...);
  }

  template <typename Name, typename Given, typename Handler, int Dimensions, typename Kernel,
            typename... Reductions>
  static void launch(Handler &h, const range<Dimensions> &size, const Kernel &kernel,
                     const Reductions &...reductions) {
    const reduction_blocks division = h.divide_range(launch_shape(size));
    range<Dimensions> groups = size, local = size, block = size;
    for (int i = 0; i < Dimensions; ++i) {
      groups[i] = division.groups[i];
      local[i] = division.local[i];
      block[i] = division.block[i];
    }
    using object = range_reduction<Dimensions, Kernel, Reductions...>;
    std::uint32_t *arrivals = nullptr;
    const auto parts = make_parts(h, groups.size(), local.size(), arrivals, reductions...);
    h.template start_nd_range<Name, kernel_properties<Kernel, Given>>(
        nd_range<Dimensions>(groups * local, local), object(kernel, parts, arrivals, size, block));
  }

  template <typename Name, typename Given, typename Handler, int Dimensions, typename Kernel,
            typename... Reductions>
  static void launch(Handler &h, const nd_range<Dimensions> &size, const Kernel &kernel,
                     const Reductions &...reductions) {
    const launch_shape shape(size);
    std::size_t groups = 1, local = 1;
    for (int i = 0; i < Dimensions; ++i) {
      groups *= shape.local[i] == 0 ? 0 : shape.global[i] / shape.local[i];
      local *= shape.local[i];
    }
    const bool is_empty = groups == 0;
    using object = nd_range_reduction<Dimensions, Kernel, Reductions...>;
    std::uint32_t *arrivals = nullptr;
    const auto parts = make_parts(h, groups, local, arrivals, reductions...);
    h.template start_nd_range<Name, kernel_properties<Kernel, Given>>(
        is_empty ? nd_range<Dimensions>(size.get_local_range(), size.get_local_range()) : size,
        object(kernel, parts, arrivals, is_empty));
  }

  // A single group needs no memory, unless for exchanges.
  template <typename Handler, typename... Reductions>
  static indexed_values<reduction_part<Reductions>...>
  make_parts(Handler &h, std::size_t groups, std::size_t local, std::uint32_t *&arrivals,
             const Reductions &...reductions) {
    const bool needed = groups > 1 || (exchanges_in_memory<typename Reductions::rule_type> || ...);
    const std::size_t size =
        reduction_memory::size_of<std::uint32_t>(1) + (part_size<Reductions>(groups, local) + ...);
    reduction_memory memory(needed ? h.take_scratch(size) : nullptr);
    arrivals = memory.take<std::uint32_t>(1);
    return indexed_values<reduction_part<Reductions>...>(
        make_part(memory, groups, local, reductions)...);
  }

  template <typename Reduction>
  static std::size_t part_size(std::size_t groups, std::size_t local) {
    using slot = typename Reduction::slot;
    return reduction_memory::size_of<slot>(groups * Reduction::extent) +
           reduction_memory::size_of<slot>(exchange_count<Reduction>(groups, local));
  }

  template <typename Reduction>
  static reduction_part<Reduction> make_part(reduction_memory &memory, std::size_t groups,
                                             std::size_t local, const Reduction &variable) {
    using slot = typename Reduction::slot;
    slot *partials = memory.take<slot>(groups * Reduction::extent);
    return {variable, partials, memory.take<slot>(exchange_count<Reduction>(groups, local))};
  }

  template <typename Reduction>
  static std::size_t exchange_count(std::size_t groups, std::size_t local) {
    if (!exchanges_in_memory<typename Reduction::rule_type>)
      return 0;
    return (groups ? groups : 1) * local;
  }
};

} // namespace detail
} // namespace _V1
} // namespace sycl

// Exchange of values between the sub-groups of a work-group, through a small array in local memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <sycl/access/fence_space.hpp>
#include <sycl/detail/barrier.hpp>
#include <sycl/detail/words.hpp>
#include <sycl/detail/work_item.hpp>
#include <sycl/memory_scope.hpp>

#ifdef __SYCL_DEVICE_ONLY__
#include <sycl/detail/spirv/group.hpp>
#else
#include <sycl/detail/device_only.hpp>
#endif

namespace sycl {
inline namespace _V1 {
namespace detail {
namespace group_scratch {

inline constexpr std::size_t size = 64;

#ifdef __SYCL_DEVICE_ONLY__
inline std::uint64_t load(std::size_t at) { return ::__dovetail_groupScratch()[at]; }
inline void store(std::size_t at, std::uint64_t word) { ::__dovetail_groupScratch()[at] = word; }
#else
[[noreturn]] inline std::uint64_t load(std::size_t) { device_only(); }
[[noreturn]] inline void store(std::size_t, std::uint64_t) { device_only(); }
#endif

// Called after writing, so that all work-items see the values, and after reading, so that the array
// can be reused.
inline void wait() {
  barrier(memory_scope::work_group, memory_scope::work_group, access::fence_space::local_space);
}

template <typename DataT> void put(std::size_t at, const words<DataT> &value) {
  for (std::size_t i = 0; i < words<DataT>::count; ++i)
    store(at + i, value.data[i]);
}

template <typename DataT> DataT get(std::size_t at, const DataT &replaced) {
  words<DataT> value(replaced);
  for (std::size_t i = 0; i < words<DataT>::count; ++i)
    value.data[i] = static_cast<typename words<DataT>::word>(load(at + i));
  return value.replacing(replaced);
}

// Broadcasts the value of the source work-item. A large value is copied in parts.
template <typename DataT> DataT broadcast(const DataT &value, bool source) {
  words<DataT> all(value);
  for (std::size_t first = 0; first < words<DataT>::count; first += size) {
    const std::size_t rest = words<DataT>::count - first;
    const std::size_t count = rest < size ? rest : size;
    if (source)
      for (std::size_t i = 0; i < count; ++i)
        store(i, all.data[first + i]);
    wait();
    for (std::size_t i = 0; i < count; ++i)
      all.data[first + i] = static_cast<typename words<DataT>::word>(load(i));
    wait();
  }
  return all.replacing(value);
}

// Calls `visit` in every work-item, in order, with the number of each sub-group and the value of
// its speaker. If there are more sub-groups than elements in the array, it takes several rounds.
template <typename DataT, typename Visit>
void visit_sub_groups(const DataT &value, bool speaker, Visit visit) {
  static_assert(words<DataT>::count <= size, "too large for an algorithm over a work-group");
  constexpr std::uint32_t room = size / words<DataT>::count;
  const std::uint32_t count = work_item::sub_group_range();
  const std::uint32_t own = work_item::sub_group_id();
  for (std::uint32_t first = 0; first < count; first += room) {
    if (speaker && own >= first && own - first < room)
      put((own - first) * words<DataT>::count, words<DataT>(value));
    wait();
    const std::uint32_t end = count - first < room ? count : first + room;
    for (std::uint32_t i = first; i < end; ++i)
      visit(i, get((i - first) * words<DataT>::count, value));
    wait();
  }
}

} // namespace group_scratch
} // namespace detail
} // namespace _V1
} // namespace sycl

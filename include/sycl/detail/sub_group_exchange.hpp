// Exchange of values of any trivially copyable type between the work-items of a sub-group.
#pragma once

#include <cstdint>
#include <sycl/detail/words.hpp>

#ifdef __SYCL_DEVICE_ONLY__
#include <sycl/detail/barrier.hpp>
#include <sycl/detail/spirv/group.hpp>
#include <sycl/memory_scope.hpp>
#define DOVETAIL_CALL(NAME, ...)                                                                   \
  ::__spirv_GroupNonUniform##NAME(spirv_scope(memory_scope::sub_group), __VA_ARGS__)
#else
#include <sycl/detail/device_only.hpp>
#define DOVETAIL_CALL(NAME, VALUE, ...) (device_only(), VALUE)
#endif

namespace sycl {
inline namespace _V1 {
namespace detail {
namespace sub_group_exchange {

#define DOVETAIL_EXCHANGE(NAME, INSTRUCTION)                                                       \
  template <typename DataT>                                                                        \
  DataT NAME(const DataT &value, [[maybe_unused]] std::uint32_t operand) {                         \
    words<DataT> all(value);                                                                       \
    for (auto &word : all.data)                                                                    \
      word = static_cast<typename words<DataT>::word>(                                             \
          DOVETAIL_CALL(INSTRUCTION, static_cast<typename words<DataT>::passed>(word), operand));  \
    return all.replacing(value);                                                                   \
  }

DOVETAIL_EXCHANGE(from, Shuffle)
DOVETAIL_EXCHANGE(from_xor, ShuffleXor)
DOVETAIL_EXCHANGE(from_before, ShuffleUp)
DOVETAIL_EXCHANGE(from_behind, ShuffleDown)
#undef DOVETAIL_EXCHANGE

inline bool any(bool value) { return DOVETAIL_CALL(Any, value); }

} // namespace sub_group_exchange
} // namespace detail
} // namespace _V1
} // namespace sycl

#undef DOVETAIL_CALL

// memory_scope: the work-items to which the order of an atomic operation or fence applies.
#pragma once

namespace sycl {
inline namespace _V1 {

// From the narrowest to the widest, so that scopes can be compared.
enum class memory_scope : int {
  work_item = 0,
  sub_group = 1,
  work_group = 2,
  device = 3,
  system = 4,
};

inline constexpr memory_scope memory_scope_work_item = memory_scope::work_item;
inline constexpr memory_scope memory_scope_sub_group = memory_scope::sub_group;
inline constexpr memory_scope memory_scope_work_group = memory_scope::work_group;
inline constexpr memory_scope memory_scope_device = memory_scope::device;
inline constexpr memory_scope memory_scope_system = memory_scope::system;

} // namespace _V1
} // namespace sycl

// The position of the running work-item, in SYCL's order of dimensions. Only this file converts
// from SPIR-V and OpenCL, which number dimensions from the fastest; SYCL numbers from the slowest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <sycl/id.hpp>
#include <sycl/range.hpp>

#ifdef __SYCL_DEVICE_ONLY__
#include <sycl/detail/spirv/work_item.hpp>
#define DOVETAIL_QUERY(CALL) return CALL
#else
#include <sycl/detail/device_only.hpp>
#define DOVETAIL_QUERY(CALL) device_only()
#endif

namespace sycl {
inline namespace _V1 {
namespace detail {
namespace work_item {

// With one dimension, the index is always 0, which avoids a computed index for variables.
template <int Dimensions> constexpr int device_dimension(int dimension) {
  return Dimensions == 1 ? 0 : Dimensions - 1 - dimension;
}

// For each query NAME<N>(dimension), and NAME<N>() with all dimensions at once.
#define DOVETAIL_DIMENSION_QUERY(RESULT, NAME, BUILTIN)                                            \
  template <int Dimensions> std::size_t NAME([[maybe_unused]] int dimension) {                     \
    DOVETAIL_QUERY(::__spirv_BuiltIn##BUILTIN(device_dimension<Dimensions>(dimension)));           \
  }                                                                                                \
  template <int Dimensions> RESULT<Dimensions> NAME() {                                            \
    RESULT<Dimensions> result;                                                                     \
    for (int i = 0; i < Dimensions; ++i)                                                           \
      result[i] = NAME<Dimensions>(i);                                                             \
    return result;                                                                                 \
  }

DOVETAIL_DIMENSION_QUERY(id, global_id, GlobalInvocationId)
DOVETAIL_DIMENSION_QUERY(range, global_range, GlobalSize)
DOVETAIL_DIMENSION_QUERY(id, global_offset, GlobalOffset)
DOVETAIL_DIMENSION_QUERY(id, local_id, LocalInvocationId)
DOVETAIL_DIMENSION_QUERY(range, local_range, WorkgroupSize)
DOVETAIL_DIMENSION_QUERY(id, group_id, WorkgroupId)
DOVETAIL_DIMENSION_QUERY(range, group_range, NumWorkgroups)
#undef DOVETAIL_DIMENSION_QUERY

#define DOVETAIL_SUB_GROUP_QUERY(NAME, BUILTIN)                                                    \
  inline std::uint32_t NAME() { DOVETAIL_QUERY(::__spirv_BuiltIn##BUILTIN()); }

DOVETAIL_SUB_GROUP_QUERY(sub_group_local_id, SubgroupLocalInvocationId)
DOVETAIL_SUB_GROUP_QUERY(sub_group_local_range, SubgroupSize)
DOVETAIL_SUB_GROUP_QUERY(sub_group_max_local_range, SubgroupMaxSize)
DOVETAIL_SUB_GROUP_QUERY(sub_group_id, SubgroupId)
DOVETAIL_SUB_GROUP_QUERY(sub_group_range, NumSubgroups)
#undef DOVETAIL_SUB_GROUP_QUERY

} // namespace work_item
} // namespace detail
} // namespace _V1
} // namespace sycl

#undef DOVETAIL_QUERY

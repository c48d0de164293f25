// Device functions that return the position of the work-item. LLVM's SPIR-V back-end translates
// calls to loads of built-in variables; a pass defines them for other targets.
//
// Clang's __builtin_spirv_* are not used, because LLVM 22 emits an invalid index for them if the
// dimension is not a constant.
#pragma once

#include <cstddef>
#include <cstdint>
#include <sycl/external.hpp>

// The results are constant for a work-item, so calls may be merged and moved.
#define DOVETAIL_DIMENSION_QUERY(NAME)                                                             \
  SYCL_EXTERNAL __attribute__((const)) std::size_t __spirv_BuiltIn##NAME(int dimension) noexcept;
#define DOVETAIL_SUB_GROUP_QUERY(NAME)                                                             \
  SYCL_EXTERNAL __attribute__((const)) std::uint32_t __spirv_BuiltIn##NAME() noexcept;

DOVETAIL_DIMENSION_QUERY(GlobalInvocationId)
DOVETAIL_DIMENSION_QUERY(GlobalSize)
DOVETAIL_DIMENSION_QUERY(GlobalOffset)
DOVETAIL_DIMENSION_QUERY(LocalInvocationId)
DOVETAIL_DIMENSION_QUERY(WorkgroupSize)
DOVETAIL_DIMENSION_QUERY(WorkgroupId)
DOVETAIL_DIMENSION_QUERY(NumWorkgroups)

DOVETAIL_SUB_GROUP_QUERY(SubgroupLocalInvocationId)
DOVETAIL_SUB_GROUP_QUERY(SubgroupSize)
DOVETAIL_SUB_GROUP_QUERY(SubgroupMaxSize)
DOVETAIL_SUB_GROUP_QUERY(SubgroupId)
DOVETAIL_SUB_GROUP_QUERY(NumSubgroups)

#undef DOVETAIL_DIMENSION_QUERY
#undef DOVETAIL_SUB_GROUP_QUERY

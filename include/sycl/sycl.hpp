// The whole of SYCL, as far as these headers offer it.
#pragma once

#include <sycl/access/address_space.hpp>
#include <sycl/access/decorated.hpp>
#include <sycl/access/fence_space.hpp>
#include <sycl/aspects.hpp>
#include <sycl/builtins.hpp>
#include <sycl/ext/oneapi/experimental/function_property.hpp>
#include <sycl/ext/oneapi/experimental/nd_range_kernel.hpp>
#include <sycl/ext/oneapi/experimental/single_task_kernel.hpp>
#include <sycl/ext/oneapi/group_local_memory.hpp>
#include <sycl/ext/oneapi/this_work_item.hpp>
#include <sycl/external.hpp>
#include <sycl/feature_test.hpp>
#include <sycl/group.hpp>
#include <sycl/group_barrier.hpp>
#include <sycl/half.hpp>
#include <sycl/id.hpp>
#include <sycl/is_group.hpp>
#include <sycl/item.hpp>
#include <sycl/memory_order.hpp>
#include <sycl/memory_scope.hpp>
#include <sycl/multi_ptr.hpp>
#include <sycl/nd_item.hpp>
#include <sycl/nd_range.hpp>
#include <sycl/range.hpp>
#include <sycl/sub_group.hpp>
